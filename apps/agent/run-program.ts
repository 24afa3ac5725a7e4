import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { maxWholeOutputBytes } from '#modules/devices/contract/agent-protocol.ts'
import { errorCode } from './atomic-file.ts'
import { killDescendants, killMarked, markName } from './command-mark.ts'
import { errorText } from './error-text.ts'
import { subreaper } from './subreaper.ts'
import { CommandFailure, CommandRefusal } from './commands/command.ts'

export interface ProgramOutcome {
  /** null: ended by a signal. */
  readonly code: number | null
  readonly output: string
}

export interface ProgramOptions {
  readonly signal: AbortSignal
  readonly killMs: number
  readonly cwd?: string
  /**
   * However the agent ends, by SIGKILL too, the program and all that it has started end with it; what it has
   * left behind ends with the program, also in a session of its own.
   */
  readonly endsWithAgent?: boolean
}

const isWindows = process.platform === 'win32'

/** Ends a program and all that it has started: its process group, or the tree on Windows. */
export function killGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return
  if (isWindows) {
    spawn('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true }).on(
      'error',
      () => child.kill('SIGKILL'),
    )
    return
  }
  try {
    process.kill(-child.pid, signal)
  } catch {
    child.kill(signal)
  }
}

type Encoding = 'utf-8' | 'gb18030'

/** A character that is cut at the end does not count. */
const isText = (bytes: Buffer, encoding: Encoding): boolean => {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/** What programs write is UTF-8, or else the code page of Chinese Windows and of older files (GBK). */
const encodingOf = (bytes: Buffer): Encoding =>
  !isText(bytes, 'utf-8') && isText(bytes, 'gb18030') ? 'gb18030' : 'utf-8'

/** For the words that say what is left out. */
const noteBytes = 1000
const halfBytes = (maxWholeOutputBytes - noteBytes) / 2

/**
 * Keeps the first bytes of what is written and the last, which often tell how it went, and counts the
 * rest, so that the writer is never held up.
 */
class OutputBuffer {
  readonly #head: Buffer[] = []
  #tail: Buffer[] = []
  #headBytes = 0
  #tailBytes = 0
  #total = 0

  add(chunk: Buffer): void {
    this.#total += chunk.length
    const first = chunk.subarray(0, halfBytes - this.#headBytes)
    if (first.length) {
      this.#head.push(first)
      this.#headBytes += first.length
    }
    if (first.length === chunk.length) return
    this.#tail.push(chunk.subarray(first.length))
    this.#tailBytes += chunk.length - first.length
    // Joined now and then: what a program writes in small pieces holds no more than twice as much.
    if (this.#tailBytes > 2 * halfBytes) {
      this.#tail = [this.#lastBytes()]
      this.#tailBytes = halfBytes
    }
  }

  #lastBytes(): Buffer {
    return Buffer.concat(this.#tail).subarray(-halfBytes)
  }

  text(): string {
    const head = Buffer.concat(this.#head)
    const tail = this.#lastBytes()
    const decoder = new TextDecoder(encodingOf(head))
    const decode = (bytes: Buffer): string => decoder.decode(bytes)
    const omitted = this.#total - this.#headBytes - tail.length
    if (!omitted) return decode(Buffer.concat([head, tail]))
    // A character that is cut in two is left out.
    const begin = decode(head).replace(/\ufffd+$/, '')
    const end = decode(tail).replace(/^\ufffd+/, '')
    const note = `输出共 ${this.#total} 字节，第 ${this.#headBytes + 1} 至 ${this.#headBytes + omitted} 字节超出上限，未保存`
    return `${begin}\n……${note}……\n${end}\n（${note}）`
  }
}

/** A program that has ended may have left others behind that hold its output open, outside of its group. */
const outputAfterExitMs = 1000

/** The looks of a guard; from the 20th on it waits 50 ms before each. */
const maxGuardRounds = 200

/**
 * Runs `$@` after the mark and ends with its code. Descriptor 0 is a pipe that the agent alone holds open:
 * when the agent is gone it ends, and so do this shell, which would end its guard, then what bears the
 * mark and the process group. A signal to the group is the program's to handle; the shell's own words
 * about it are nobody's output. What the program leaves behind becomes this shell's child (`subreaper.ts`)
 * and ends before it; each that ends hands on its own children, so that it is done again until a second look
 * at the same ended ones shows no other. A busy machine takes its time to end a process: later looks wait.
 */
const guardScript = `
exec 3<&0 </dev/null 4>&2 2>/dev/null
mark=$1
shift
end_marked() {
  for file in $(grep -l "${markName}=$mark" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    kill -KILL "\${pid%/environ}"
  done
}
end_children() {
  round=0
  dead=
  while [ $round -lt ${maxGuardRounds} ]; do
    round=$((round + 1))
    [ $round -lt 20 ] || sleep 0.05
    read -r children </proc/$$/task/$$/children
    left=
    for pid in $children; do
      read -r stat </proc/$pid/stat
      case "$pid" in "$1") continue ;; esac
      case "\${stat##*) }" in Z*) continue ;; esac
      kill -KILL "$pid" && left=1
    done
    [ "$left" ] || [ "$children" != "$dead" ] || return
    [ "$left" ] || dead=$children
  done
}
(read -r _ <&3
read -r self _ </proc/self/stat
end_children "$self"; kill -KILL $$; end_marked; end_marked; kill -KILL 0) >/dev/null 4>&- &
guard=$!
trap : TERM
(export ${markName}="$mark"; exec "$@" 3<&- 2>&4 4>&-)
code=$?
end_children "$guard"
kill -KILL $guard 2>/dev/null
exit $code
`

/** The program as it is started: under its guard, where it has a mark. */
function startedAs(
  file: string,
  args: readonly string[],
  mark: string | undefined,
): readonly [file: string, args: readonly string[]] {
  if (mark === undefined) return [file, args]
  const guarded = ['/bin/sh', '-c', guardScript, 'guard', mark, file, ...args]
  const [first = '', ...rest] = [...subreaper(), ...guarded]
  return [first, rest]
}

/** What is below the guard of a marked program ends before it: without it, that could not be found. */
function killTree(child: ChildProcess, mark: string | undefined): void {
  if (mark !== undefined) {
    killDescendants(child.pid)
  }
  killGroup(child, 'SIGKILL')
}

/** Runs a program to its end; when the signal is aborted, its whole group is ended. */
export function runProgram(
  file: string,
  args: readonly string[],
  { signal, killMs, cwd, endsWithAgent = false }: ProgramOptions,
): Promise<ProgramOutcome> {
  return new Promise((resolve, reject) => {
    const output = new OutputBuffer()
    const mark = endsWithAgent && !isWindows ? randomUUID() : undefined
    const child = spawn(...startedAs(file, args, mark), {
      detached: !isWindows,
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(cwd !== undefined && { cwd }),
    })
    let killTimer: NodeJS.Timeout | undefined
    const onAbort = (): void => {
      killGroup(child, 'SIGTERM')
      killTimer = setTimeout(() => killTree(child, mark), killMs)
    }
    const finish = (code: number | null): void => {
      signal.removeEventListener('abort', onAbort)
      clearTimeout(killTimer)
      if (signal.aborted) {
        killGroup(child, 'SIGKILL')
      }
      child.stdin.destroy()
      child.stdout.destroy()
      child.stderr.destroy()
      resolve({ code, output: output.text() })
    }
    child.stdin.on('error', () => {})
    if (mark === undefined) {
      child.stdin.end()
    }
    child.stdout.on('data', (chunk: Buffer) => output.add(chunk))
    child.stderr.on('data', (chunk: Buffer) => output.add(chunk))
    child.on('error', error => {
      signal.removeEventListener('abort', onAbort)
      reject(new CommandRefusal(startFailure(file, error)))
    })
    child.on('exit', code => {
      if (mark !== undefined) {
        killGroup(child, 'SIGKILL')
        killMarked(mark)
      }
      setTimeout(() => finish(code), outputAfterExitMs).unref()
    })
    child.on('close', code => finish(code))
    if (signal.aborted) {
      onAbort()
    } else {
      signal.addEventListener('abort', onAbort, { once: true })
    }
  })
}

function startFailure(file: string, error: Error): string {
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: `此机器没有程序 ${file}`,
    EACCES: `没有权限运行 ${file}`,
    ENOEXEC: `${file} 不是可以运行的程序`,
  }
  return reasons[errorCode(error)] ?? `${file} 启动失败：${errorText(error)}`
}

/** The output of a program that must end well. Throws CommandFailure with what it wrote otherwise. */
export async function requireProgram(
  file: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<string> {
  const { code, output } = await runProgram(file, args, options)
  if (code !== 0) throw new CommandFailure(output.trim().slice(0, 500) || `${file} 以 ${code} 结束`, output)
  return output
}
