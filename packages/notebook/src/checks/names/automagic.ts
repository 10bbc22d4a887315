// IPython runs a cell of one line as a magic when its first word is one and nothing of that name is defined: `ls`, `cd data`,
// `pip install x`. To a reader of Python such a word looks like an undefined name.
import type { ParsedCell } from '@grus/python';

const words = new Set(
  (
    'alias alias_magic autoawait autocall automagic autoreload bookmark cat cd clear code_wrap colors conda config ' +
    'connect_info cp cpaste debug dhist dirs doctest_mode ed edit env gui hist history killbgscripts ldir less lf lk ll ' +
    'load load_ext loadpy logoff logon logstart logstate logstop ls lsmagic lx macro magic mamba man matplotlib micromamba ' +
    'mkdir more mv notebook page paste pastebin pdb pdef pdoc pfile pinfo pinfo2 pip popd pprint precision prun psearch ' +
    'psource pushd pwd pycat pylab qtconsole quickref recall rehashx reload_ext rep rerun reset reset_selective rm rmdir ' +
    'run save sc set_env store subshell sx system tb time timeit unalias unload_ext uv who who_ls whos xdel xmode'
  ).split(' '),
);

/** Whether the name is the first word of a one-line cell that IPython would take for a magic. */
export function isAutomagic(name: string, cell: ParsedCell): boolean {
  const lines = cell.lines.filter((line) => line.trim() !== '');
  return (
    lines.length === 1 &&
    words.has(name) &&
    new RegExp(`^\\s*${name}(\\s*$|\\s+[^!=()<>,+*/%^&|\\s])`).test(lines[0]!)
  );
}
