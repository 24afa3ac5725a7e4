// Plain JavaScript that any Node runs: it sees to it that the named tool runs under Node 24, which reads
// TypeScript. `npm run` finds the right Node in node_modules automatically; an old one called by hand finds
// it here.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const NEEDED = 24
const here = dirname(fileURLToPath(import.meta.url))
const [name, ...rest] = process.argv.slice(2)
const target = join(here, '..', name ?? '')

if (!name || !existsSync(target)) {
  console.error('用法：node tools/launch.mjs tools/start.ts [参数]')
  process.exitCode = 1
} else if (Number(process.versions.node.split('.')[0]) >= NEEDED) {
  process.argv.splice(1, 2, target)
  keepCompiled()
  await import('../kit/server/source-resolution.ts')
  await import(pathToFileURL(target).href)
} else {
  const system = process.platform === 'win32' ? 'win' : process.platform
  const file = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node'
  const own = join(here, '../node_modules', `node-${system}-${process.arch}`, file)
  if (existsSync(own)) {
    hand(own)
  } else {
    console.error(
      `需要 Node ${NEEDED} 以上，当前是 ${process.version}。\n` +
        '请先执行 npm install（Linux 与 Windows 会自带所需的 Node）；\n' +
        '其他系统请到 https://nodejs.org 安装 Node 24 后重试。',
    )
    process.exitCode = 1
  }
}

/**
 * What Node makes of the sources is kept beside the build: the cache is on before the first of them is
 * read, for even the compiler takes a while to load. Where that folder is not writable, it is kept in the
 * system's folder for temporary files.
 */
function keepCompiled() {
  if (module.enableCompileCache(join(here, '../dist/compiled')).directory === undefined) {
    module.enableCompileCache()
  }
}

function hand(node) {
  const child = spawn(node, [fileURLToPath(import.meta.url), name, ...rest], { stdio: 'inherit' })
  // Ctrl-C reaches the child from the terminal; the child decides when it is done.
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal))
  }
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (signal === 'SIGTERM' ? 15 : 9)
  })
}
