// Draws the Mermaid diagrams of a page, with the library that `cargo xtask book` puts beside this file.
// Without it, or if a diagram cannot be drawn, its text stays.
(() => {
  const diagrams = [...document.querySelectorAll('code.language-mermaid')].map((code) => {
    const box = document.createElement('div');
    box.className = 'diagram';
    return { text: code.textContent, listing: code.closest('pre'), box };
  });
  if (diagrams.length === 0) return;

  const root = document.documentElement;
  const isDark = () => ['ayu', 'coal', 'navy'].some((theme) => root.classList.contains(theme));
  let drawn = null;

  async function draw() {
    const dark = isDark();
    if (drawn === dark) return;
    drawn = dark;
    mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', theme: dark ? 'dark' : 'default' });
    for (const [idx, { text, listing, box }] of diagrams.entries()) {
      try {
        const { svg } = await mermaid.render(`diagram-${idx}`, text);
        box.innerHTML = svg;
        // On a narrow screen a diagram scrolls: a label must not become too small to read.
        const image = box.querySelector('svg');
        image.style.minWidth = `min(${image.viewBox.baseVal.width}px, 640px)`;
        listing.replaceWith(box);
      } catch (error) {
        console.error('a diagram cannot be drawn', error, text);
      }
    }
    // For tests: all diagrams of the page have been tried.
    root.dataset.diagrams = document.querySelectorAll('.diagram svg').length;
  }

  const library = document.createElement('script');
  library.src = `${path_to_root}assets/mermaid/mermaid.min.js`;
  library.onload = async () => {
    await draw();
    new MutationObserver(draw).observe(root, { attributeFilter: ['class'] });
  };
  library.onerror = () => console.warn('diagrams stay text: the book was built without Mermaid, see `cargo xtask book`');
  document.head.append(library);
})();
