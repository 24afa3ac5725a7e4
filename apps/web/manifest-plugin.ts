import { join } from 'node:path'
import { runnerImport, type Plugin } from 'vite'
import type { ModuleManifest } from '#kit/contract/module.ts'
import type { DailyScreen } from '#kit/web/shell/choose-quick-links.ts'
import { toBrowserManifests } from './browser-manifest.ts'

const virtualId = 'virtual:manifests'
const resolvedId = `\0${virtualId}`

/**
 * The manifests and the daily screens as a browser gets them, read while the page is built: their sources
 * name every permission of the modules.
 */
export const manifestPlugin = (projectRoot: string): Plugin => ({
  name: 'manifests',
  resolveId: id => (id === virtualId ? resolvedId : undefined),
  async load(id) {
    if (id !== resolvedId) return undefined
    const readSource = async <T>(file: string): Promise<T> => {
      const { module, dependencies } = await runnerImport<T>(join(projectRoot, file), {
        configFile: false,
        root: projectRoot,
        logLevel: 'error',
      })
      for (const dependency of [join(projectRoot, file), ...dependencies]) {
        this.addWatchFile(dependency)
      }
      return module
    }
    const { modules } = await readSource<{ modules: readonly ModuleManifest[] }>('modules/index.ts')
    const { dailyScreens } = await readSource<{ dailyScreens: readonly DailyScreen[] }>(
      'apps/web/daily-screens.ts',
    )
    const write = (name: string, value: unknown): string =>
      `export const ${name} = /* @__PURE__ */ JSON.parse(${JSON.stringify(JSON.stringify(value))})`
    return [write('manifests', toBrowserManifests(modules)), write('dailyScreens', dailyScreens)].join('\n')
  },
  hotUpdate({ file }) {
    const moduleNode = this.environment.moduleGraph.getModuleById(resolvedId)
    return moduleNode && /\/modules\/(index|[^/]+\/module)\.ts$/.test(file) ? [moduleNode] : undefined
  },
})
