import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin, type Rolldown } from 'vite'
import type { OfflineFiles } from '#kit/web/offline/serve-offline.ts'
import { lazyOfflineParts, offlinePages } from './offline-pages.ts'

type Chunk = Rolldown.OutputChunk & {
  readonly viteMetadata?: { readonly importedCss: ReadonlySet<string> }
}

export type Chunks = Readonly<Record<string, Chunk>>

/** What the page names: the chunk that holds it. */
const mainFile = 'apps/web/main.tsx'

/** The list of all screens, which every page awaits. */
const listFile = 'apps/web/screens.ts'

const relativeTo = (root: string, id: string): string =>
  id.replaceAll('\\', '/').replace(`${root.replaceAll('\\', '/')}/`, '')

const sourcesOf = (root: string, { moduleIds }: Chunk): string[] => moduleIds.map(id => relativeTo(root, id))

/** The scripts and styles that the pages need, with all that these import. */
export function findOfflineFiles(chunks: Chunks, root: string): { entry: string; files: string[] } {
  const entry = Object.values(chunks).find(({ moduleIds }) => moduleIds.includes(join(root, mainFile)))
  if (!entry) throw new Error(`the build has no ${mainFile}`)
  const all = Object.values(chunks)
  const found = new Set<Chunk>()
  const add = (fileName: string): void => {
    const chunk = chunks[fileName]
    if (!chunk || found.has(chunk)) return
    found.add(chunk)
    for (const imported of chunk.imports) {
      add(imported)
    }
    for (const lazy of chunk.dynamicImports) {
      const target = chunks[lazy]
      if (target && sourcesOf(root, target).some(source => lazyOfflineParts.test(source))) {
        add(lazy)
      }
    }
  }
  const addSource = (source: string, chunk: Chunk | undefined): void => {
    if (!chunk) throw new Error(`${source} is no file of its own in the build`)
    add(chunk.fileName)
  }
  const findHolder = (source: string): Chunk | undefined =>
    all.find(chunk => sourcesOf(root, chunk).includes(source))
  add(entry.fileName)
  addSource(listFile, findHolder(listFile))
  for (const page of offlinePages) {
    // Its routes may share their file with the addresses of the module.
    const routes = page.replace(/[^/]+$/, 'routes.ts')
    addSource(routes, findHolder(routes))
    addSource(
      page,
      all.find(({ facadeModuleId }) => facadeModuleId && relativeTo(root, facadeModuleId) === page),
    )
  }
  const files = [...found].flatMap(chunk => [chunk.fileName, ...(chunk.viteMetadata?.importedCss ?? [])])
  return { entry: entry.fileName, files: [...new Set(files)].toSorted() }
}

/** The worker as one script: browsers read its first file only. */
async function bundleWorker(root: string, offlineFiles: OfflineFiles): Promise<string> {
  const built = await build({
    configFile: false,
    root,
    logLevel: 'error',
    define: { offlineFiles: JSON.stringify(offlineFiles) },
    resolve: { alias: [{ find: /^#(kit|modules|apps)\//, replacement: `${root}/$1/` }] },
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: join(root, 'apps/web/offline-worker.ts'), formats: ['iife'], name: 'offline' },
    },
  })
  const [bundle] = [built].flat()
  if (!bundle || !('output' in bundle)) throw new Error('the worker was not built')
  return bundle.output[0].code
}

/** Writes `offline.js`, the service worker of the phone pages, with the files of this release. */
export const offlinePlugin = (root: string, findOtherPages: () => Promise<readonly string[]>): Plugin => ({
  name: 'offline-pages',
  apply: 'build',
  enforce: 'post',
  async generateBundle(_options, bundle) {
    const chunks = Object.fromEntries(
      Object.entries(bundle).flatMap(([name, file]) => (file.type === 'chunk' ? [[name, file]] : [])),
    )
    const { entry, files } = findOfflineFiles(chunks, root)
    const release = createHash('sha256')
      .update(files.join('\n'))
      .update(readFileSync(join(root, 'apps/web/index.html')))
      .digest('hex')
      .slice(0, 12)
    const paths = files.map(file => `/${file}`)
    const source = await bundleWorker(root, {
      release,
      entry,
      files: paths,
      otherPages: await findOtherPages(),
    })
    this.emitFile({ type: 'asset', fileName: 'offline.js', source })
  },
})
