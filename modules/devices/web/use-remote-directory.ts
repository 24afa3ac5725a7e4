import { useEffect, useRef, useState } from 'react'
import { toast } from '#kit/web/toast.ts'
import type { DirectoryEntry } from '../contract/agent-protocol.ts'
import { stateTexts } from './command-state.ts'
import { isFolder, joinPath, readEntries } from './listing-rows.ts'
import type { CommandGateway } from './remote-message.ts'
import { startCommand, useRunningCommand, waitForEnd } from './running-commands.ts'

interface Folder {
  readonly path: string
  readonly name: string
}

/** The folders that the local list of the site allows. */
export const rootFolder: Folder = { path: '', name: '现场计算机' }

/** What has been listed so far, by path; the last request and why it failed. */
function useListings(gateway: CommandGateway) {
  const [listings, setListings] = useState<Readonly<Record<string, readonly DirectoryEntry[]>>>({})
  const [leaves, setLeaves] = useState<ReadonlySet<string>>(new Set())
  const [taskNo, setTaskNo] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const load = async (path: string): Promise<void> => {
    setFailure(undefined)
    const sent = startCommand({ gateway, command: 'listDirectory', data: path })
    setTaskNo(sent)
    const { state, reason, rows } = await waitForEnd(sent)
    const entries = readEntries(rows)
    if (state === 'done') {
      setListings(all => ({ ...all, [path]: entries }))
    } else {
      setFailure(reason ?? stateTexts[state][1])
    }
    if (!entries.some(isFolder)) {
      setLeaves(known => new Set([...known, path]))
    }
  }
  return {
    listings,
    leaves,
    load,
    failure,
    clearFailure: (): void => setFailure(undefined),
    running: useRunningCommand(taskNo),
  }
}

/**
 * The folders of a site's computer, each listed when it is opened (0§2). One whose listing is empty or cannot
 * be read is remembered as having no subfolders (0§4).
 */
export function useRemoteDirectory(gateway: CommandGateway) {
  const [folders, setFolders] = useState<readonly Folder[]>([rootFolder])
  const { listings, leaves, load, failure, clearFailure, running } = useListings(gateway)
  const current = folders.at(-1) ?? rootFolder
  const isAsked = useRef(false)
  useEffect(() => {
    if (isAsked.current) return
    isAsked.current = true
    void load('')
  }, [])
  const goTo = (next: readonly Folder[]): void => {
    setFolders(next)
    clearFailure()
    const path = (next.at(-1) ?? rootFolder).path
    if (!listings[path]) {
      void load(path)
    }
  }
  return {
    path: current.path,
    folders,
    entries: listings[current.path],
    entriesAt: (path: string): readonly DirectoryEntry[] | undefined => listings[path],
    failure,
    running,
    isLeaf: (entry: DirectoryEntry): boolean => leaves.has(joinPath(current.path, entry.name)),
    open: (entry: DirectoryEntry): void => {
      const path = joinPath(current.path, entry.name)
      if (!isFolder(entry)) return
      if (listings[path]?.length === 0) {
        toast.info('已经是最底层文件夹')
      }
      goTo([...folders, { path, name: entry.name }])
    },
    goTo: (index: number): void => goTo(folders.slice(0, index + 1)),
    up: (): void => {
      if (folders.length > 1) {
        goTo(folders.slice(0, -1))
      }
    },
    refresh: (): void => void load(current.path),
  }
}

export type RemoteDirectory = ReturnType<typeof useRemoteDirectory>
