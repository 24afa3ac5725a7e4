import { spawnSync } from 'node:child_process'

/** `prctl` by the kernel's numbers, for each processor that Node runs on. */
const prctlNumbers: Readonly<Record<string, number>> = {
  x64: 157,
  ia32: 172,
  arm: 172,
  arm64: 167,
  riscv64: 167,
}
const setChildSubreaper = 36

/** Node cannot call prctl. These commands can, and then execute the program in their arguments. */
function candidates(): readonly (readonly string[])[] {
  const prctl = prctlNumbers[process.arch]
  const perl = `syscall(${prctl}, ${setChildSubreaper}, 1, 0, 0, 0) == 0 or exit 1; exec { $ARGV[0] } @ARGV`
  const python = [
    'import ctypes, os, sys',
    `ctypes.CDLL(None).prctl(${setChildSubreaper}, 1, 0, 0, 0) == 0 or sys.exit(1)`,
    'os.execv(sys.argv[1], sys.argv[1:])',
  ].join('\n')
  return [...(prctl === undefined ? [] : [['perl', '-e', perl]]), ['python3', '-I', '-S', '-c', python]]
}

const works = ([file = '', ...args]: readonly string[]): boolean =>
  spawnSync(file, [...args, '/bin/true'], { stdio: 'ignore', timeout: 5000 }).status === 0

let found: readonly string[] | undefined

/**
 * A command prefix that makes a program the parent of orphaned descendants, so that they can be found
 * whatever their session and environment. Empty where this machine has neither Perl nor Python.
 */
export function subreaper(): readonly string[] {
  if (process.platform !== 'linux') return []
  found ??= candidates().find(works) ?? []
  return found
}
