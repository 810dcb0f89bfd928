//! The syntax tree of shell text: what is written, before anything is expanded.
//!
//! The tree owns its text, so a function's body can outlive the text it was defined in.

use std::cell::OnceCell;
use std::ops::Range;
use std::rc::Rc;

use crate::domain::shell::script::RedirectKind;

/// Chains one after another.
pub(crate) type List = Vec<Chain>;

/// Pipelines joined by `&&` and `||`.
#[derive(Debug)]
pub(crate) struct Chain {
    pub(crate) first: Pipeline,
    pub(crate) rest: Vec<(LogicalOperator, Pipeline)>,
    pub(crate) background: bool,
}

/// What is between two pipelines of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LogicalOperator {
    And,
    Or,
}

/// Commands joined by `|`.
#[derive(Debug)]
pub(crate) struct Pipeline {
    pub(crate) stages: Vec<Node>,
}

/// One command of a pipeline, simple or compound, with what follows its end.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) kind: NodeKind,
    pub(crate) redirects: Vec<RawRedirect>,
    pub(crate) span: Range<usize>,
}

/// The forms of a command.
#[derive(Debug)]
pub(crate) enum NodeKind {
    Simple {
        assignments: Vec<RawAssignment>,
        words: Vec<RawWord>,
    },
    Subshell(List),
    Group(List),
    If {
        arms: Vec<(List, List)>,
        otherwise: List,
    },
    Loop {
        condition: List,
        body: List,
    },
    For {
        name: String,
        words: Option<Vec<RawWord>>,
        body: List,
    },
    Case {
        subject: RawWord,
        arms: Vec<(Vec<RawWord>, List)>,
    },
    Function {
        name: String,
        body: Rc<Node>,
    },
    /// `[[ … ]]` and `(( … ))`: nothing but the expansions in it.
    Test(Vec<RawWord>),
    /// A command whose effect on variables and directory is lost: `coproc`.
    Coprocess(Box<Node>),
}

/// A variable being set.
#[derive(Debug)]
pub(crate) struct RawAssignment {
    pub(crate) name: String,
    pub(crate) append: bool,
    pub(crate) value: RawValue,
}

/// What a variable is set to.
#[derive(Debug)]
pub(crate) enum RawValue {
    Scalar(RawWord),
    Array(Vec<RawWord>),
}

/// A redirection as written.
#[derive(Debug)]
pub(crate) struct RawRedirect {
    pub(crate) kind: RedirectKind,
    pub(crate) fd: Option<u32>,
    pub(crate) target: RawTarget,
}

/// Where a redirection goes.
#[derive(Debug)]
pub(crate) enum RawTarget {
    Word(RawWord),
    /// The body is after the end of the line, so it is filled in later than the rest.
    HereDocument(Rc<OnceCell<RawWord>>),
}

/// A word as written.
#[derive(Debug, Default)]
pub(crate) struct RawWord {
    pub(crate) parts: Vec<Part>,
    pub(crate) span: Range<usize>,
}

/// A piece of a word.
#[derive(Debug)]
pub(crate) enum Part {
    Text {
        text: String,
        quoted: bool,
    },
    Parameter {
        parameter: Parameter,
        quoted: bool,
    },
    Substitution {
        list: List,
        quoted: bool,
        backquoted: bool,
    },
    ProcessSubstitution {
        list: List,
        input: bool,
    },
    Arithmetic {
        parts: Vec<Part>,
        quoted: bool,
    },
    /// A command's output that a shell further out has already put in, so it may be any text.
    OuterSubstitution {
        quoted: bool,
    },
}

/// `$name` or `${…}`.
#[derive(Debug, Default)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) index: Vec<Part>,
    pub(crate) braced: bool,
    pub(crate) operator: ParameterOperator,
    pub(crate) argument: Vec<Part>,
}

/// What is done with the value of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum ParameterOperator {
    #[default]
    Plain,
    Length,
    Indirect,
    /// `:-`, or `-` when only unset variables count.
    Default,
    /// `:=`, or `=`.
    Assign,
    /// `:+`, or `+`.
    Alternative,
    /// `:?`, or `?`.
    Require,
    /// `:offset:length`
    Substring,
    /// `#` and `##`
    RemovePrefix {
        longest: bool,
    },
    /// `%` and `%%`
    RemoveSuffix {
        longest: bool,
    },
    /// `/` and `//`
    Replace {
        all: bool,
    },
    /// `^` and `^^`
    Upper {
        all: bool,
    },
    /// `,` and `,,`
    Lower {
        all: bool,
    },
    /// Anything else, such as `@Q`.
    Other,
}
