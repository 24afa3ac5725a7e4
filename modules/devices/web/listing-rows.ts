import { fromInstant } from '#kit/domain/moment.ts'
import type { DirectoryEntry, ProcessRow, ServiceRow } from '../contract/agent-protocol.ts'

type Members = Readonly<Record<string, unknown>>

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const numberOf = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)

/** Rows of a listing as a site answered them; none where that cannot be read. */
function readRows<T>(json: string | undefined, read: (row: Members) => T): T[] {
  if (!json) return []
  try {
    const rows: unknown = JSON.parse(json)
    return Array.isArray(rows) ? rows.filter(isMembers).map(read) : []
  } catch {
    return []
  }
}

export const readProcesses = (json: string | undefined): ProcessRow[] =>
  readRows(json, row => ({
    pid: numberOf(row.pid),
    name: textOf(row.name),
    user: textOf(row.user),
    memoryBytes: numberOf(row.memoryBytes),
    cpuPercent: numberOf(row.cpuPercent),
    startedAt: textOf(row.startedAt),
  }))

const serviceStates: readonly ServiceRow['state'][] = ['running', 'stopped', 'failed', 'other']

export const readServices = (json: string | undefined): ServiceRow[] =>
  readRows(json, row => ({
    name: textOf(row.name),
    title: textOf(row.title),
    state: serviceStates.find(state => state === row.state) ?? 'other',
  }))

const entryTypes: readonly DirectoryEntry['type'][] = ['folder', 'file', 'drive', 'link']

export const readEntries = (json: string | undefined): DirectoryEntry[] =>
  readRows(json, row => ({
    name: textOf(row.name),
    size: numberOf(row.size),
    modified: textOf(row.modified),
    type: entryTypes.find(type => type === row.type) ?? 'file',
  }))

/** A path of the site's computer, in its own writing. */
export const joinPath = (folder: string, name: string): string => {
  if (folder === '') return name
  const separator = folder.includes('\\') ? '\\' : '/'
  return folder.endsWith(separator) ? `${folder}${name}` : `${folder}${separator}${name}`
}

/** An ISO instant of a site as the wall time of the office, `2026-11-20 09:12:00`. */
export const siteTimeText = (iso: string): string => {
  const ms = Date.parse(iso)
  return Number.isNaN(ms) ? '' : fromInstant(ms)
}

/** What can be opened: a link may lead anywhere, and is not followed. */
export const isFolder = ({ type }: Pick<DirectoryEntry, 'type'>): boolean =>
  type === 'folder' || type === 'drive'
