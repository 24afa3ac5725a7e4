import { join } from 'node:path'
import { runnerImport, type Plugin } from 'vite'
import type { ModuleManifest } from '#kit/contract/module.ts'
import { toBrowserManifests } from './browser-manifest.ts'

const virtualId = 'virtual:manifests'
const resolvedId = `\0${virtualId}`

/** The manifests as a browser gets them, read from modules/index.ts while the page is built. */
export const manifestPlugin = (projectRoot: string): Plugin => ({
  name: 'manifests',
  resolveId: id => (id === virtualId ? resolvedId : undefined),
  async load(id) {
    if (id !== resolvedId) return undefined
    const { module, dependencies } = await runnerImport<{ modules: readonly ModuleManifest[] }>(
      join(projectRoot, 'modules/index.ts'),
      { configFile: false, root: projectRoot, logLevel: 'error' },
    )
    for (const file of dependencies) {
      this.addWatchFile(file)
    }
    return `export const manifests = JSON.parse(${JSON.stringify(JSON.stringify(toBrowserManifests(module.modules)))})`
  },
  hotUpdate({ file }) {
    const moduleNode = this.environment.moduleGraph.getModuleById(resolvedId)
    return moduleNode && /\/modules\/(index|[^/]+\/module)\.ts$/.test(file) ? [moduleNode] : undefined
  },
})
