// The script of the pages: keys for lists, and nothing that a page needs to work.

export const pageScript = `
const rows = () => [...document.querySelectorAll('.runs tbody a, .rows tbody a')].filter((link) => link.dataset.row !== undefined);
const move = (by) => {
  const links = rows();
  const at = links.indexOf(document.activeElement.closest('tr')?.querySelector('a[data-row]'));
  links[Math.max(0, Math.min(links.length - 1, at + by))]?.focus();
};
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (/^(?:INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== 'checkbox') {
    if (event.key === 'Escape') event.target.blur();
    return;
  }
  if (event.key === 'j') move(1);
  else if (event.key === 'k') move(-1);
  else if (event.key === 'x') document.activeElement.closest('tr')?.querySelector('input[name=run]')?.click();
  else if (event.key === 'c') document.querySelector('input[name=run]')?.form.requestSubmit();
  else if (event.key === '/') { event.preventDefault(); document.querySelector('input[type=search]')?.focus(); }
});
for (const select of document.querySelectorAll('form[role=search] select')) select.addEventListener('change', () => select.form.requestSubmit());
`;

/** In front of the script that draws: it reads what is to be drawn from the page. */
export const chartStart = `const run = JSON.parse(document.getElementById('run-data').textContent);`;
