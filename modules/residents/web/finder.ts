import { moreHits, type Hit } from '#kit/web/command-palette.ts'
import { send } from '#kit/web/send.ts'
import { session, shownProjectCode } from '#kit/web/session.ts'
import { searchResidentOptions } from '../contract/maintenance.ts'
import { menu } from '../module.ts'
import { mobilePath, paths, residencyPath, residentPath } from './paths.ts'

const maxHits = 10

type FoundResident = NonNullable<typeof searchResidentOptions.output.T>[number]

const toHit = (resident: FoundResident, currentProject: string | undefined): Hit => {
  const rooms = (resident.homes ?? []).map(home => home.roomPath)
  const isOtherProject = currentProject !== undefined && resident.homeProject !== currentProject
  const path = residentPath(resident.id)
  return {
    key: String(resident.id),
    title: resident.name,
    note: [rooms.slice(0, 3).join('、'), isOtherProject ? resident.estateName : undefined, resident.mobile]
      .filter(Boolean)
      .join(' · '),
    isOtherProject,
    path,
    actions: [
      { label: '查看住户', path, letter: 'R' },
      {
        label: '过户与迁出',
        path: residencyPath(resident.id),
        needs: menu.link.permissions.transfer,
        letter: 'G',
      },
      {
        label: '变更手机号',
        path: mobilePath(resident.id),
        needs: menu.resident.permissions.mobile,
        letter: 'M',
      },
    ],
  }
}

/** People by any part of their name, its pinyin or initials, by a part of their telephone. */
export async function findResidents(keyword: string, signal: AbortSignal): Promise<readonly Hit[]> {
  // One letter or digit finds half the company.
  if (/^[\x20-\x7e]?$/.test(keyword)) return []
  const currentProject = shownProjectCode(session.getState())
  const found = await send(
    searchResidentOptions,
    { keyword, size: maxHits + 1 },
    { quiet: true, signal, project: 0 },
  )
  const hits = found.slice(0, maxHits).map(resident => toHit(resident, currentProject))
  return found.length > maxHits
    ? [...hits, moreHits('住户', `${paths.list}?keyword=${encodeURIComponent(keyword)}`)]
    : hits
}
