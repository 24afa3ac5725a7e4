import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { whyNotWritable } from '#kit/server/postgres/data-folder.ts'
import { StartupError } from '#kit/server/postgres/startup-error.ts'
import { filesUnder, root } from './source-files.ts'

const OUT = join(root, 'dist/web')

/** Beside the build, not in it: what is inside is served. */
const MARK = join(root, 'dist/web.sources')
const SOURCES = /\.(ts|tsx|js|css|json|html|svg|png|webp|woff2|ico)$/

function hashSources(): string {
  const files = [
    ...['apps/web', 'kit/web', 'kit/contract', 'kit/domain'].flatMap(folder => filesUnder(folder, SOURCES)),
    ...filesUnder('modules', SOURCES).filter(file =>
      /^modules\/(index\.ts|[^/]+\/(module\.ts|(web|contract|domain)\/))/.test(file),
    ),
  ].filter(file => !/\.test\.tsx?$/.test(file))
  const hash = createHash('sha256')
  for (const file of [...files.toSorted(), 'package-lock.json']) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  }
  return hash.digest('hex')
}

/** A build writes these: the pages, and what its configuration becomes on the way. */
const BUILD_FOLDERS = ['dist', 'node_modules'].map(folder => join(root, folder))

/** Says what to do where a build is needed and the program's own folders cannot be written. */
export function assertCanBuild(built: boolean, folders: readonly string[] = BUILD_FOLDERS): void {
  for (const folder of folders) {
    const why = whyNotWritable(folder)
    if (why !== undefined)
      throw new StartupError(
        `页面${built ? '与程序的版本不一致' : '尚未构建'}，而程序目录 ${folder} 不能写入：${why}。\n` +
          '请由可以写入程序目录的用户先执行 npm run build，再启动。',
      )
  }
}

/**
 * Builds apps/web into dist/web unless the build there is of these very sources. 'none' when there is no web
 * to build. `log` is called when a build begins.
 */
export async function buildWeb(log: (line: string) => void = () => {}): Promise<'built' | 'fresh' | 'none'> {
  if (!existsSync(join(root, 'apps/web/index.html'))) return 'none'
  const sourceHash = hashSources()
  const built = existsSync(join(OUT, 'index.html'))
  if (built && existsSync(MARK) && readFileSync(MARK, 'utf8') === sourceHash) return 'fresh'
  let vite: typeof import('vite')
  try {
    vite = await import('vite')
  } catch {
    if (built) return 'fresh'
    throw new StartupError('页面尚未构建，而构建工具没有安装。请执行 npm install（不要省略开发依赖）后重试。')
  }
  assertCanBuild(built)
  log('正在构建页面，只在首次启动或代码有变化时进行……')
  const draft = `${OUT}.${process.pid}`
  try {
    for (const configFile of ['vite.config.ts', 'resident.config.ts']) {
      await vite.build({
        root: join(root, 'apps/web'),
        configFile: join(root, 'apps/web', configFile),
        logLevel: 'error',
        build: { outDir: draft },
      })
    }
    mkdirSync(join(root, 'dist'), { recursive: true })
    rmSync(OUT, { recursive: true, force: true })
    renameSync(draft, OUT)
    writeFileSync(MARK, sourceHash)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return 'built'
}
