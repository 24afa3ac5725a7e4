import { defined } from '#kit/domain/defined.ts'
import { routesOf, everyone, type Call } from '#kit/contract/call.ts'
import type { ModuleManifest, Screen } from '#kit/contract/module.ts'
import { registerHandlers } from '#kit/server/handler.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { modules } from '#modules/index.ts'
import { filesUnder, root, readSource } from './source-files.ts'

export interface ProductMap {
  readonly calls: readonly {
    method: string
    path: string
    names: readonly string[]
    module: string
    permission: string
    title: string
    implemented: boolean
  }[]
  readonly screens: readonly {
    path: string
    title: string
    module: string
    permission: string
    file: string
  }[]
  readonly tables: readonly {
    table: string
    entity: string
    label: string
    module: string
    migration: string
  }[]
}

const permissionOf = (c: Call): string =>
  typeof c.needs === 'object' ? c.needs.key : c.needs === everyone ? 'everyone' : 'anybody'

interface RoutesFile {
  readonly routes: Readonly<Record<string, unknown>>
}

/** What each module opens at its paths. Nothing of a screen is loaded: routes fetch it when it is opened. */
const hasFile = (module: string, file: string): boolean =>
  existsSync(join(root, `modules/${module}/web/${file}`))

const routesByModule = new Map(
  await Promise.all(
    modules.map(async ({ name }) => {
      const none: RoutesFile = { routes: {} }
      const office: RoutesFile = hasFile(name, 'routes.ts')
        ? await import(`#modules/${name}/web/routes.ts`)
        : none
      const residents: RoutesFile = hasFile(name, 'resident-routes.ts')
        ? await import(`#modules/${name}/web/resident-routes.ts`)
        : none
      return [name, { ...office.routes, ...residents.routes }] as const
    }),
  ),
)

/** A screen's file, as the module's routes name it; of a group path the file of the screen it opens. */
export function screenFileOf(manifests: readonly ModuleManifest[], module: string, s: Screen): string {
  if (s.redirectTo) {
    const owner = manifests.find(p => p.screens.some(x => x.path === s.redirectTo))
    return owner
      ? screenFileOf(manifests, owner.name, defined(owner.screens.find(x => x.path === s.redirectTo)))
      : ''
  }
  const loader = routesByModule.get(module)?.[s.path]
  if (!loader) return ''
  // A route names its file in its own text, or in that of the file that it takes one of several screens from.
  const text = String((loader as { readonly load?: unknown }).load ?? loader)
  const file = /import(?:__)?\(\s*['"]([^'"]+)['"]/.exec(text)?.[1]
  return file ? file.replace(/^#|^\//, '').replace(/^\.\//, `modules/${module}/web/`) : ''
}

/** What exists: calls with a handler, screens with a file, tables with a migration. */
export async function readProductMap(): Promise<ProductMap> {
  const all = await loadInstalledModules()
  const handlers = registerHandlers(all)
  const migrations = filesUnder('db/migrations', /\.sql$/).map(f => ({
    file: f.replace('db/migrations/', ''),
    text: readSource(f),
  }))
  const migrationOf = (table: string): string =>
    migrations.find(m => new RegExp(`create (unlogged )?table (if not exists )?${table}\\b`).test(m.text))
      ?.file ?? ''
  return {
    calls: all.flatMap(({ manifest, contract }) =>
      contract.calls.map(c => {
        const [method = '', path = ''] = c.route.split(' ')
        return {
          method,
          path,
          names: [...(c.aliases ?? [])],
          module: manifest.name,
          permission: permissionOf(c),
          title: c.title,
          implemented: routesOf(c).every(a => handlers.has(a)),
        }
      }),
    ),
    screens: all.flatMap(({ manifest }) =>
      manifest.screens.map(s => ({
        path: s.path,
        title: s.title,
        module: manifest.name,
        permission: s.needs?.key ?? 'everyone',
        file: screenFileOf(
          all.map(m => m.manifest),
          manifest.name,
          s,
        ),
      })),
    ),
    tables: all.flatMap(({ manifest, contract }) =>
      contract.entities.map(e => ({
        table: e.table,
        entity: e.name,
        label: e.label,
        module: manifest.name,
        migration: migrationOf(e.table),
      })),
    ),
  }
}
