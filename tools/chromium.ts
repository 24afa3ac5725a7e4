import { defined } from '#kit/domain/defined.ts'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { StartupError } from '#kit/server/postgres/startup-error.ts'

const BROWSER_PATHS = [
  // Without a window to draw into: a sixth less work for the same pages.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/chromium-browser',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** Tried in this order. */
const BROWSER_PACKAGES = ['chromium-headless-shell', 'chromium']
const FONT_PACKAGE = 'fonts-noto-cjk'

const INSTALL_HINT =
  '浏览器测试需要 Chromium。请安装它（Debian：apt-get install chromium fonts-noto-cjk；其他系统：安装 Google Chrome），' +
  '或用环境变量 CHROMIUM 指出它的位置，然后重试。'

/** The browser for the tests: CHROMIUM, or one of the system's. */
export function findChromium(): string | undefined {
  const configured = process.env.CHROMIUM
  if (configured && !existsSync(configured))
    throw new StartupError(`CHROMIUM 指出的 ${configured} 不存在。\n${INSTALL_HINT}`)
  // Ubuntu's package of that name is a stub without its snap.
  return (
    configured ||
    BROWSER_PATHS.find(
      path =>
        existsSync(path) && (process.platform === 'win32' || spawnSync(path, ['--version']).status === 0),
    )
  )
}

function hasChineseFont(): boolean {
  const fonts = spawnSync('fc-list', [':lang=zh', 'family'], { encoding: 'utf8' })
  return fonts.status !== 0 || fonts.stdout.trim() !== ''
}

/** Runs apt-get as root or by sudo without a question; false when it cannot or a package is unknown. */
function install(packages: readonly string[]): boolean {
  if (process.platform !== 'linux' || !existsSync('/usr/bin/apt-get')) return false
  const prefix = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const apt = (...args: string[]) => {
    const [command, ...rest] = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args]
    return spawnSync(defined(command), rest, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0
  }
  return apt('update', '-qq') && apt('install', '-y', '-qq', '--no-install-recommends', ...packages)
}

/** The browser's path; installs it, with a Chinese font, where that is possible. */
export function ensureChromium(): string {
  const found = findChromium()
  if (found) {
    if (process.platform === 'linux' && !hasChineseFont()) {
      install([FONT_PACKAGE])
    }
    return found
  }
  console.log('正在安装 Chromium（浏览器测试需要，只在首次进行）……')
  const installed = BROWSER_PACKAGES.some(browser => install([browser, FONT_PACKAGE]))
    ? findChromium()
    : undefined
  if (!installed) throw new StartupError(INSTALL_HINT)
  return installed
}
