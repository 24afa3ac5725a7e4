import { join } from 'node:path'
import { runnerImport, type Plugin } from 'vite'
import type { Nameplate } from '#kit/contract/module.ts'
import { slim } from './slim.ts'

const name = 'virtual:plates'
const own = `\0${name}`

/** The nameplates as a browser takes them, read from modules/index.ts while the page is built. */
export const plates = (top: string): Plugin => ({
  name: 'plates',
  resolveId: id => (id === name ? own : undefined),
  async load(id) {
    if (id !== own) return undefined
    const { module, dependencies } = await runnerImport<{ modules: readonly Nameplate[] }>(
      join(top, 'modules/index.ts'),
      { configFile: false, root: top, logLevel: 'error' },
    )
    for (const file of dependencies) {
      this.addWatchFile(file)
    }
    return `export const plates = JSON.parse(${JSON.stringify(JSON.stringify(slim(module.modules)))})`
  },
  hotUpdate({ file }) {
    const read = this.environment.moduleGraph.getModuleById(own)
    return read && /\/modules\/(index|[^/]+\/module)\.ts$/.test(file) ? [read] : undefined
  },
})
