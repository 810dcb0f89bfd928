"use strict";
(() => {
  const words = document.getElementById("words");
  const decision = document.getElementById("decision");
  const shown = document.getElementById("shown");
  const rows = Array.from(document.querySelectorAll("#events tbody tr"), (row) => [row, row.textContent.toLowerCase()]);
  const filter = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const [row, text] of rows) {
      const takes = decision.value === "" || row.dataset.decision === decision.value;
      row.hidden = !(takes && wanted.every((word) => text.includes(word)));
      count += row.hidden ? 0 : 1;
    }
    shown.textContent = `${count} of ${rows.length} shown`;
  };
  words.addEventListener("input", filter);
  decision.addEventListener("change", filter);
  document.getElementById("filter").hidden = false;
  filter();
})();
