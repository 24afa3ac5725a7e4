import { join } from 'node:path'
import { runnerImport, type Plugin } from 'vite'
import type { ModuleManifest, Screen } from '#kit/contract/module.ts'
import type { DailyScreen } from '#kit/web/shell/choose-quick-links.ts'
import { keywordsOf, labelsOf, residentScreensOf, toBrowserManifests } from './browser-manifest.ts'

const virtualId = 'virtual:manifests'
const signInId = 'virtual:sign-in-screens'
const labelsId = 'virtual:permission-labels'
const keywordsId = 'virtual:screen-keywords'
const residentsId = 'virtual:resident-screens'
const ids: readonly string[] = [virtualId, signInId, labelsId, keywordsId, residentsId]
const signInModule = 'accounts'

/** What the server answers at the addresses of residents. */
const residentPage = '/resident.html'

/** The chunk of `screens.ts`. */
const listFile = /(^|\/)apps\/web\/screens\.ts$/

const isSignInScreen = (screen: Screen): boolean => screen.standalone === true && !screen.needs

const writeExport = (name: string, value: unknown): string =>
  `export const ${name} = /* @__PURE__ */ JSON.parse(${JSON.stringify(JSON.stringify(value))})`

/**
 * A script of the page itself: it begins to fetch the list of screens beside the first script, unless the
 * address is one of sign-in, which does without. The policy of the page names it by its hash.
 */
export const writeListPreload = (file: string, signInPaths: readonly string[]): string =>
  [
    '<script>{',
    `const paths = ${JSON.stringify(signInPaths.map(path => path.toLowerCase()))}`,
    "const path = location.pathname.toLowerCase().replace(/(.)\\/+$/, '$1')",
    'if (localStorage.etorcurrentuser || /[?&]redirect=/.test(location.search) || !paths.includes(path)) {',
    "const link = document.createElement('link')",
    "link.rel = 'modulepreload'",
    `link.href = ${JSON.stringify(`/${file}`)}`,
    'document.head.append(link)',
    '}}</script>',
  ].join('\n')

type Watch = (file: string) => void

async function readProjectSource<T>(projectRoot: string, file: string, watch: Watch): Promise<T> {
  const { module, dependencies } = await runnerImport<T>(join(projectRoot, file), {
    configFile: false,
    root: projectRoot,
    logLevel: 'error',
  })
  for (const dependency of [join(projectRoot, file), ...dependencies]) {
    watch(dependency)
  }
  return module
}

interface ModuleList {
  readonly modules: readonly ModuleManifest[]
}

/** The addresses that have the page of residents, in small letters. */
export async function readResidentPaths(projectRoot: string): Promise<string[]> {
  const { modules } = await readProjectSource<ModuleList>(projectRoot, 'modules/index.ts', () => {})
  return residentScreensOf(modules).map(({ path }) => path.toLowerCase())
}

/**
 * The manifests and the daily screens as a browser gets them, read while the page is built: their sources
 * name every permission of the modules.
 */
export function manifestPlugin(projectRoot: string): Plugin {
  const readSource = <T>(file: string, watch: Watch): Promise<T> =>
    readProjectSource(projectRoot, file, watch)
  const readModules = async (watch: Watch = () => {}): Promise<readonly ModuleManifest[]> =>
    (await readSource<ModuleList>('modules/index.ts', watch)).modules
  const readSignInScreens = async (watch?: Watch): Promise<readonly Screen[]> =>
    (await readModules(watch)).find(({ name }) => name === signInModule)?.screens.filter(isSignInScreen) ?? []
  return {
    name: 'manifests',
    resolveId: id => (ids.includes(id) ? `\0${id}` : undefined),
    async load(id) {
      const watch = (file: string): void => this.addWatchFile(file)
      if (id === `\0${signInId}`)
        return [
          writeExport('signInModule', signInModule),
          writeExport('signInScreens', await readSignInScreens(watch)),
        ].join('\n')
      if (id === `\0${labelsId}`)
        return `export default ${JSON.stringify(labelsOf(await readModules(watch)))}`
      if (id === `\0${keywordsId}`)
        return `export default ${JSON.stringify(keywordsOf(await readModules(watch)))}`
      if (id === `\0${residentsId}`)
        return writeExport('residentScreens', residentScreensOf(await readModules(watch)))
      if (id !== `\0${virtualId}`) return undefined
      const { dailyScreens } = await readSource<{ dailyScreens: readonly DailyScreen[] }>(
        'apps/web/daily-screens.ts',
        watch,
      )
      return [
        writeExport('manifests', toBrowserManifests(await readModules(watch))),
        writeExport('dailyScreens', dailyScreens),
      ].join('\n')
    },
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle }) {
        const list = Object.values(bundle ?? {}).find(
          chunk =>
            chunk.type === 'chunk' && chunk.moduleIds.some(id => listFile.test(id.replaceAll('\\', '/'))),
        )
        if (!list) return html
        const paths = ['/', '/work', ...(await readSignInScreens()).map(({ path }) => path)]
        return html.replace('<meta name="viewport"', `${writeListPreload(list.fileName, paths)}\n    $&`)
      },
    },
    hotUpdate({ file }) {
      if (!/\/modules\/(index|[^/]+\/module)\.ts$/.test(file)) return undefined
      const { moduleGraph } = this.environment
      return ids.flatMap(id => moduleGraph.getModuleById(`\0${id}`) ?? [])
    },
  }
}

/** In development the addresses of residents get their page, as the server does it elsewhere. */
export const residentPagePlugin = (projectRoot: string): Plugin => ({
  name: 'resident-page',
  async configureServer({ middlewares }) {
    const paths = new Set(await readResidentPaths(projectRoot))
    middlewares.use((request, _response, next) => {
      const [path = '', ...query] = request.url?.split('?') ?? []
      if (paths.has(path.toLowerCase().replace(/\/+$/, ''))) {
        request.url = [residentPage, ...query].join('?')
      }
      next()
    })
  },
})
