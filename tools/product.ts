import { addresses, everyone, type Call } from '#kit/contract/call.ts'
import type { Nameplate, Screen } from '#kit/contract/module.ts'
import { bind } from '#kit/server/handle.ts'
import { installed } from '#apps/server/modules.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { filesUnder, root, textOf } from './tree.ts'

export interface MapOf {
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

const rightOf = (c: Call): string =>
  typeof c.needs === 'object' ? c.needs.key : c.needs === everyone ? 'everyone' : 'anybody'

/** A screen's file, as the module's routes name it; of a group path the file of the screen it opens. */
export function fileOf(plates: readonly Nameplate[], module: string, s: Screen): string {
  if (s.to) {
    const owner = plates.find(p => p.screens.some(x => x.path === s.to))
    return owner
      ? fileOf(
          plates,
          owner.name,
          owner.screens.find(x => x.path === s.to)!,
        )
      : ''
  }
  const routes = `modules/${module}/web/routes.ts`
  if (!existsSync(join(root, routes))) return ''
  const text = textOf(routes)
  const path = s.path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  // Either the import stands beside the path, or a name that is declared above.
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

/** What is really there: calls with a handler, screens with a file, tables with a migration. */
export async function mapOf(): Promise<MapOf> {
  const all = await installed()
  const bound = bind(all)
  const migrations = filesUnder('db/migrations', /\.sql$/).map(f => ({
    file: f.replace('db/migrations/', ''),
    text: textOf(f),
  }))
  const madeIn = (table: string): string =>
    migrations.find(m => new RegExp(`create (unlogged )?table (if not exists )?${table}\\b`).test(m.text))
      ?.file ?? ''
  return {
    calls: all.flatMap(({ plate, contract }) =>
      contract.calls.map(c => {
        const [method, path] = c.at.split(' ') as [string, string]
        return {
          method,
          path,
          names: [...(c.names ?? [])],
          module: plate.name,
          permission: rightOf(c),
          title: c.title,
          implemented: addresses(c).every(a => bound.has(a)),
        }
      }),
    ),
    screens: all.flatMap(({ plate }) =>
      plate.screens.map(s => ({
        path: s.path,
        title: s.title,
        module: plate.name,
        permission: s.needs?.key ?? 'everyone',
        file: fileOf(
          all.map(m => m.plate),
          plate.name,
          s,
        ),
      })),
    ),
    tables: all.flatMap(({ plate, contract }) =>
      contract.entities.map(e => ({
        table: e.table,
        entity: e.name,
        label: e.label,
        module: plate.name,
        migration: madeIn(e.table),
      })),
    ),
  }
}
