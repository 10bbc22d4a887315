// The script of the pages: keys for lists, and looking again at what goes on. Nothing that a page needs to work.

/** What is ticked, chosen, opened, focused and drawn stays; while somebody types or marks text, the page waits. */
const renewal = `
const keyOf = (part) => [part.tagName, part.form?.action, part.name, /^(?:checkbox|submit)$/.test(part.type) ? part.value : '', part.getAttribute('href'), part.tagName === 'SUMMARY' ? part.textContent : ''].join(' ');
const partsOf = (main) => new Map([...main.querySelectorAll('a, button, input, select, summary')].map((part) => [keyOf(part), part]));
const chartsOf = (page) => page.querySelector('script[src="/static/charts.js"]') !== null;
const isBusy = () => !getSelection().isCollapsed || document.activeElement.matches('main select, main input:not([type=checkbox])');
const renew = (main, fresh) => {
  const [before, after] = [partsOf(main), partsOf(fresh)];
  for (const [key, part] of after) {
    const old = before.get(key);
    if (old === undefined) continue;
    if (part.type === 'checkbox') part.checked = old.checked;
    else if (/^(?:INPUT|SELECT)$/.test(part.tagName)) part.value = old.value;
    else if (part.tagName === 'SUMMARY') part.parentElement.open = old.parentElement.open;
  }
  const data = (page) => page.querySelector('#run-data')?.textContent;
  const isDrawn = data(main) !== undefined && data(main) === data(fresh);
  if (isDrawn) fresh.querySelector('#panels').replaceWith(main.querySelector('#panels'));
  const focused = keyOf(document.activeElement);
  const top = scrollY;
  main.replaceWith(fresh);
  after.get(focused)?.focus({ preventScroll: true });
  scrollTo({ top, behavior: 'instant' });
  if (!isDrawn) document.dispatchEvent(new Event('renewed'));
};
const look = async () => {
  const main = document.querySelector('main');
  const response = document.hidden || isBusy() ? null : await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => null);
  const page = response?.ok ? new DOMParser().parseFromString(await response.text(), 'text/html') : null;
  if (response?.redirected || (page !== null && chartsOf(page) !== chartsOf(document))) location.reload();
  else if (page !== null && !isBusy()) renew(main, page.querySelector('main'));
  lookAgain();
};
const lookAgain = () => {
  const seconds = Number(document.querySelector('main').dataset.again);
  if (seconds > 0) setTimeout(look, seconds * 1000);
};
lookAgain();
`;

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
addEventListener('change', ({ target }) => { if (target.matches('form[role=search] select')) target.form.requestSubmit(); });
${renewal}`;

/** Around the script that draws: it reads what is to be drawn from the page, and draws anew what has changed. */
export const chartStart = `const read = () => JSON.parse(document.getElementById('run-data').textContent);
let run = read();`;
export const chartEnd = `document.addEventListener('renewed', () => { run = read(); draw(); });`;
