import { useCallback } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Needs } from '#kit/contract/call.ts'
import type { PermissionFlag } from '#kit/contract/module.ts'
import type { Sender } from '#kit/contract/wire.ts'
import { saveStored, useStored } from './browser-store.ts'
import { forgetOfflineCopies } from './offline/offline-copies.ts'
import {
  storageNames,
  toStorage,
  type LooseRecord,
  type Manager,
  type SignedInUser,
} from './signed-in-user.ts'

export type { Manager, SignedInUser } from './signed-in-user.ts'

/** The project chosen in the header bar; code `0` is all of them, and is then left out of requests. */
export interface Project {
  readonly code: string
  readonly name: string
}

interface Session {
  readonly signed: SignedInUser | undefined
  readonly project: Project | undefined
  /**
   * Permission keys of the operator; absent until they are known, and then everything shows (display only,
   * PERM-3).
   */
  readonly rights: Rights
}

const userKey = 'etorcurrentuser'
const lastRequestKey = 'lastrequesttime'
const projectKey = 'selectedproject'

/** Hours that an unused token lives, and the minutes before its end in which it is renewed (PERM-10). */
export const tokenHours = 8
export const renewMinutes = 30

const parseJson = (text: string | null): LooseRecord | undefined => {
  try {
    const record: LooseRecord | undefined = text ? JSON.parse(text) : undefined
    return record
  } catch {
    return undefined
  }
}

const toText = (v: unknown): string => (typeof v === 'string' || typeof v === 'number' ? String(v) : '')

function readSigned(): SignedInUser | undefined {
  const all = parseJson(localStorage.getItem(userKey))
  const manager = all?.Manager as LooseRecord | undefined
  if (!all || !manager || !all.Token) return undefined
  return {
    token: toText(all.Token),
    nearestProjectCode: toText(all.NearestProjectCode),
    manager: Object.fromEntries(
      storageNames.map(([ours, theirs]) => [ours, manager[theirs]]),
    ) as unknown as Manager,
  }
}

function readProject(): Project | undefined {
  const p = parseJson(sessionStorage.getItem(projectKey))
  return p && p.ProjectCode !== undefined ? { code: toText(p.ProjectCode), name: toText(p.Name) } : undefined
}

export const session = createStore<Session>(() => ({
  signed: undefined,
  project: undefined,
  rights: undefined,
}))

export const useSession = <T>(pick: (s: Session) => T): T => useStore(session, pick)

/** Reads what storage holds; called once at start, and when another window signs in or out. */
export function loadSession(): void {
  const signed = readSigned()
  const previous = session.getState()
  const same =
    previous.signed?.manager.id === signed?.manager.id &&
    previous.signed?.manager.ownerId === signed?.manager.ownerId
  session.setState({ signed, project: signed && readProject(), rights: same ? previous.rights : undefined })
}

/** Follows the other windows of this browser: one signs out, all are out. */
export const syncAcrossWindows = (): void =>
  addEventListener('storage', e => {
    if (e.key === userKey || e.key === null) {
      loadSession()
    }
  })

export function signIn(signed: SignedInUser): void {
  if (session.getState().signed?.manager.id !== signed.manager.id) {
    sessionStorage.removeItem(projectKey)
    clearUserCaches()
    forgetOfflineCopies()
  }
  saveStored(signedOutKey, undefined)
  localStorage.setItem(userKey, JSON.stringify(toStorage(signed)))
  recordRequest()
  loadSession()
}

/** Ends the session here: local storage is cleared (0§8); the browser store stays. */
export function signOut(): void {
  localStorage.clear()
  sessionStorage.removeItem(projectKey)
  clearUserCaches()
  forgetOfflineCopies()
  session.setState({ signed: undefined, project: undefined, rights: undefined })
}

const signedOutKey = 'signed-out'

/** The person leaves; the other windows of this browser say so, rather than that the session has expired. */
export function leaveSession(): void {
  saveStored(signedOutKey, true)
  signOut()
}

/** Whether the last session ended because the person left it. */
export const useHasLeft = (): boolean => useStored(signedOutKey, false)[0]

/** A renewed token replaces the old one. */
export function replaceToken(token: string): void {
  const { signed } = session.getState()
  if (!signed) return
  localStorage.setItem(userKey, JSON.stringify(toStorage({ ...signed, token })))
  session.setState({ signed: { ...signed, token } })
}

export function chooseProject(project: Project): void {
  sessionStorage.setItem(projectKey, JSON.stringify({ ProjectCode: project.code, Name: project.name }))
  session.setState({ project })
}

/** The project that is shown: the chosen one, else the last; none where all are (`0`). */
export const shownProjectCode = ({ project, signed }: Session): string | undefined => {
  const code = project?.code ?? signed?.nearestProjectCode
  return code && code !== '0' ? code : undefined
}

export const setRights = (rights: Rights): void => session.setState({ rights })

/** Records that a request was made now (ms). Token renewal does not count (0§7). */
export const recordRequest = (): void => localStorage.setItem(lastRequestKey, String(Date.now()))

/** Milliseconds since the last request, as idle tracking counts them. */
export const msSinceLastRequest = (): number => {
  const t = Number(localStorage.getItem(lastRequestKey))
  return t ? Date.now() - t : 0
}

/** The sender of a request: the stored manager and the chosen project, else the nearest one. */
export function currentSender(): Sender {
  const { signed, project } = session.getState()
  if (!signed) return {}
  return {
    ownerId: signed.manager.ownerId,
    operatorId: signed.manager.id,
    projectCode: project?.code || signed.nearestProjectCode,
  }
}

/** `ownerId.operatorId/` before the key of whatever belongs to one person on a shared computer. */
export const personalKey = (key: string): string => {
  const m = session.getState().signed?.manager
  return `${m?.ownerId ?? 0}.${m?.id ?? 0}/${key}`
}

export type Rights = ReadonlySet<string> | 'all' | undefined

/**
 * Whether the rights hold one by its key. Rights that are not known yet count as held: the server decides,
 * this only shows or hides (0§6, PERM-3).
 */
export const hasRight = (key: string, rights: Rights): boolean =>
  rights === undefined || rights === 'all' || rights.has(key)

/** Whether the person has the permission; a call that needs no right is open to everybody. */
export function hasPermission(p: Needs | undefined, rights: Rights = session.getState().rights): boolean {
  return !p || typeof p === 'symbol' || hasRight(p.key, rights)
}

/** `hasPermission` that renders again when permissions arrive. */
export function usePermission(): (p: Needs | undefined) => boolean {
  const rights = useSession(s => s.rights)
  return useCallback(p => hasPermission(p, rights), [rights])
}

/** A menu's flags as the wire gives them: `Allowview`, or with small letters. */
export type AllowFlags = Readonly<Record<string, unknown>>

const wireFlag: Record<PermissionFlag, string> = {
  view: 'Allowview',
  add: 'Allowadd',
  edit: 'Allowedit',
  del: 'Allowdel',
}

const isFlagOn = (v: unknown): boolean => v === true || v === 1 || v === '1' || v === 'true'

/**
 * True when no permission object is given, or when the named flag, or any of a list of names, is set (0§6).
 */
export function hasAllowFlag(
  flags: AllowFlags | undefined | null,
  names: string | readonly string[],
): boolean {
  if (!flags) return true
  return [names]
    .flat()
    .some(n => Object.entries(flags).some(([k, v]) => k.toLowerCase() === n.toLowerCase() && isFlagOn(v)))
}

export const canView = (flags?: AllowFlags | null): boolean => hasAllowFlag(flags, wireFlag.view)
export const canAdd = (flags?: AllowFlags | null): boolean => hasAllowFlag(flags, wireFlag.add)
export const canEdit = (flags?: AllowFlags | null): boolean => hasAllowFlag(flags, wireFlag.edit)
export const canDelete = (flags?: AllowFlags | null): boolean => hasAllowFlag(flags, wireFlag.del)

const userCaches = new Map<string, Promise<unknown>>()
const clearUserCaches = (): void => userCaches.clear()

/**
 * A list that one person needs again and again (park lists, 0§3): fetched once per person, again after
 * `drop`. A failure is not cached.
 */
export function createPerUserCache<T>(
  name: string,
  load: () => Promise<T>,
): { get(): Promise<T>; drop(): void } {
  return {
    get: () => {
      const key = personalKey(name)
      const cached = userCaches.get(key) as Promise<T> | undefined
      if (cached) return cached
      const loading = load()
      userCaches.set(key, loading)
      loading.catch(() => userCaches.delete(key))
      return loading
    },
    drop: () => {
      userCaches.delete(personalKey(name))
    },
  }
}
