import { routesOf, everyone, type Call } from '#kit/contract/call.ts'
import type { ModuleManifest, Screen } from '#kit/contract/module.ts'
import { registerHandlers } from '#kit/server/handler.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
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

/** A screen's file, as the module's routes name it; for a group path the file of the screen it opens. */
export function screenFileOf(manifests: readonly ModuleManifest[], module: string, s: Screen): string {
  if (s.redirectTo) {
    const owner = manifests.find(p => p.screens.some(x => x.path === s.redirectTo))
    return owner
      ? screenFileOf(
          manifests,
          owner.name,
          owner.screens.find(x => x.path === s.redirectTo)!,
        )
      : ''
  }
  const routes = `modules/${module}/web/routes.ts`
  if (!existsSync(join(root, routes))) return ''
  const text = readSource(routes)
  const path = s.path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  // Either the import follows the path, or a name that is declared above.
  const named = new RegExp(`['"]${path}['"]\\s*:\\s*(\\w+)\\b(?!\\s*\\()`).exec(text)?.[1]
  const m = (
    named
      ? new RegExp(`const ${named}\\b(?:(?!const )[^])*?import\\(\\s*['"]([^'"]+)['"]`)
      : new RegExp(`['"]${path}['"]\\s*:[^,]*?import\\(\\s*['"]([^'"]+)['"]`)
  ).exec(text)
  return m
    ? m[1]!.startsWith('#')
      ? m[1]!.slice(1)
      : `modules/${module}/web/${m[1]!.replace(/^\.\//, '')}`
    : ''
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
        const [method, path] = c.route.split(' ') as [string, string]
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
