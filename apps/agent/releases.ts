import { existsSync, rmSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Id } from '#kit/domain/id.ts'
import { readIfPresent, writeFileAtomic } from './atomic-file.ts'
import { countOf, idOf, objectOf, parseJson, textOf } from './json.ts'
import { programRoot } from './version.ts'

/**
 * Which version of the program runs. The candidate is a new one on trial: it becomes current when it has
 * connected, and is given up when it ends before that, or has not connected in time.
 */
export interface Releases {
  /** A folder below `releases`; empty: the installed program. */
  readonly current: string
  readonly candidate?: { readonly folder: string; readonly taskId: Id; readonly attempts: number }
  /** The last candidate that was given up, until its task is reported. */
  readonly failed?: { readonly taskId: Id; readonly reason: string }
}

const fileOf = (dataDir: string): string => join(dataDir, 'releases.json')
export const releasesFolder = (dataDir: string): string => join(dataDir, 'releases')

export function readReleases(dataDir: string): Releases {
  const text = readIfPresent(fileOf(dataDir))
  if (text === undefined) return { current: '' }
  const stored = objectOf(parseJson(text), 'releases.json')
  const candidate = stored.candidate === undefined ? undefined : objectOf(stored.candidate, 'candidate')
  const failed = stored.failed === undefined ? undefined : objectOf(stored.failed, 'failed')
  return {
    current: textOf(stored.current, 'current'),
    ...(candidate && {
      candidate: {
        folder: textOf(candidate.folder, 'folder'),
        taskId: idOf(candidate.taskId, 'taskId'),
        attempts: countOf(candidate.attempts, 'attempts'),
      },
    }),
    ...(failed && {
      failed: { taskId: idOf(failed.taskId, 'taskId'), reason: textOf(failed.reason, 'reason') },
    }),
  }
}

export const writeReleases = (dataDir: string, releases: Releases): void =>
  writeFileAtomic(fileOf(dataDir), JSON.stringify(releases))

/** The folder of the program to start; the installed one where a release has been deleted. */
export function programFolder(dataDir: string, { current, candidate }: Releases): string {
  const folder = candidate?.folder ?? current
  const path = join(releasesFolder(dataDir), folder)
  return folder !== '' && existsSync(join(path, 'apps/agent/program.ts')) ? path : programRoot
}

/** The candidate has connected: it is the current version from now on. Older ones are deleted. */
export function promoteCandidate(dataDir: string): void {
  const { current, candidate } = readReleases(dataDir)
  if (!candidate) return
  writeReleases(dataDir, { current: candidate.folder })
  const folder = releasesFolder(dataDir)
  for (const name of readdirSync(folder)) {
    if (name !== candidate.folder && name !== current) {
      rmSync(join(folder, name), { recursive: true, force: true })
    }
  }
}

/** Gives the candidate up: the current version is started again and tells its task why. */
export function rejectCandidate(dataDir: string, reason: string): void {
  const { current, candidate } = readReleases(dataDir)
  if (!candidate) return
  writeReleases(dataDir, { current, failed: { taskId: candidate.taskId, reason } })
  rmSync(join(releasesFolder(dataDir), candidate.folder), { recursive: true, force: true })
}
