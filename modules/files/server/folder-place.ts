import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { maxDepth } from '../contract/limits.ts'
import { pathsIn } from '../domain/folder-tree.ts'
import type { Folder } from './folders.ts'
import type { NodeRow } from './node-rows.ts'

type Breadcrumb = Pick<Folder, 'id' | 'name'>

/** For any folder, the folders down to it, itself last. */
export function breadcrumbsIn(folders: readonly Folder[]): (id: Id) => Breadcrumb[] {
  const names = new Map(folders.map(folder => [folder.id, folder.name]))
  const pathTo = pathsIn(folders)
  return id =>
    pathTo(id)
      .toReversed()
      .map(step => ({ id: step, name: names.get(step) ?? '' }))
}

export const placeText = (names: readonly string[]): string => ['全部文件', ...names].join(' / ')

/** Where each of them was, in folders that may be in the bin or purged themselves. */
export async function findPlaces(
  db: Db,
  ownerId: Id,
  nodes: readonly NodeRow[],
): Promise<(node: NodeRow) => string> {
  const parentOf = ({ pid, dirId }: NodeRow): Id => pid ?? dirId ?? 0
  const parents = [...new Set(nodes.map(parentOf))].filter(id => id !== 0)
  const found = await db.rows<{ folder: Id; names: string[] }>(sql`
    with recursive above as (
      select t.id as folder, t.pid, t.name, 1 as level
      from file_dir t
      where t.owner_id = ${ownerId} and t.id = any(${parents}::bigint[])
      union all
      select above.folder, p.pid, p.name, above.level + 1
      from above
      join file_dir p on p.owner_id = ${ownerId} and p.id = above.pid
      where p.owner_id = ${ownerId} and above.level <= ${maxDepth}
    )
    select folder, array_agg(name order by level desc) as names
    from above
    group by folder
  `)
  const places = new Map(found.map(({ folder, names }) => [folder, placeText(names)]))
  return node => places.get(parentOf(node)) ?? placeText([])
}
