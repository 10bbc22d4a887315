// The look of the pages: light and dark, and narrow enough for a phone.

export const pageStyle = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; --ink: #222; --paper: #fff; --soft: #f3f4f5; --line: #ddd; --grid: #0001;
  --onset: #c0392b; --first: #2471a3; --second: #b9770e; --failed: #c0392b; --degraded: #b9770e; --healthy: #1e8449; --unknown: #2471a3; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ddd; --paper: #16191c; --soft: #22272b; --line: #3a4046; --grid: #fff2; --onset: #ff8a7a; --first: #6cb6f0; --second: #f5b041;
    --failed: #ff8a7a; --degraded: #f5b041; --healthy: #58d68d; --unknown: #6cb6f0; }
}
html { background: var(--paper); color: var(--ink); }
body { margin: 0 auto; max-width: 1200px; padding: 0 1rem 3rem; }
a { color: var(--first); } a:focus-visible, button:focus-visible, input:focus-visible { outline: 2px solid var(--first); outline-offset: 2px; }
nav { display: flex; flex-wrap: wrap; gap: 1rem; align-items: center; padding: .7rem 0; border-bottom: 1px solid var(--line); margin-bottom: 1rem; }
nav .home { font-weight: 700; text-decoration: none; color: var(--ink); } nav form { margin-left: auto; }
h1 { font-size: 1.4rem; margin: 0; overflow-wrap: anywhere; } h2 { font-size: 1rem; margin: 1.4rem 0 .3rem; }
input, select, button { font: inherit; color: inherit; background: var(--soft); border: 1px solid var(--line); border-radius: 4px; padding: .2rem .5rem; }
button { cursor: pointer; }
.filters { display: flex; align-items: center; flex-wrap: wrap; gap: .5rem; margin-bottom: 1rem; } .filters input { flex: 1 1 14rem; }
table { border-collapse: collapse; width: 100%; } th { text-align: left; font-weight: 600; white-space: nowrap; }
td, th { padding: .35rem .6rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
td.number, th.number { text-align: right; white-space: nowrap; }
tr:focus-within { background: var(--soft); }
small, .faint { opacity: .75; } ul { padding-left: 1.2rem; } li { overflow-wrap: anywhere; }
.failed { color: var(--failed); } .degraded { color: var(--degraded); } .healthy { color: var(--healthy); } .unknown { color: var(--unknown); }
header { border-left: 6px solid var(--line); padding-left: 1rem; overflow-wrap: anywhere; } header.failed { border-color: var(--failed); }
header.degraded { border-color: var(--degraded); } header.healthy { border-color: var(--healthy); } header.unknown { border-color: var(--unknown); }
header p { color: var(--ink); margin: .2rem 0; }
.spark { width: 120px; height: 28px; } .spark polyline { fill: none; stroke: var(--first); stroke-width: 1.5; }
.conclusion { font-weight: 600; }
.bar { fill: var(--first); } .bars { width: 120px; height: 12px; }
.login { max-width: 26rem; margin: 3rem auto; display: grid; gap: .8rem; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; } .facts dd { margin: 0; overflow-wrap: anywhere; }
.lanes { width: 100%; font-size: 12px; } .lanes text { fill: var(--ink); } .lanes .works { fill: var(--first); } .lanes .waits { fill: var(--grid); stroke: var(--first); }
.lanes .first .works { fill: var(--onset); }
#panels { display: grid; gap: 1.5rem 1rem; grid-template-columns: repeat(auto-fit, minmax(min(320px, 100%), 1fr)); margin-top: 1.5rem; } #panels > div { min-width: 0; }
.uplot, .u-title, .u-legend { color: var(--ink); font-family: inherit; } .u-title { font-size: 1rem; } .u-legend { font-size: .8rem; } .u-select { background: var(--grid); }
@media (max-width: 640px) {
  .runs thead { display: none; } .runs tr { display: block; border-bottom: 1px solid var(--line); padding: .5rem 0; }
  .runs td { display: block; border: 0; padding: 0; } .rows { display: block; overflow-x: auto; } .rows .bars { display: none; } .facts { grid-template-columns: 1fr; }
}
`;
