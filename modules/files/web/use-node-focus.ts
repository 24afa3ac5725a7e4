import type { RefObject } from 'react'
import type { DirectoryType } from '../domain/file-actions.ts'

interface NodeFocusOptions {
  /** Holds the grid or the list. */
  readonly area: RefObject<HTMLElement | null>
  readonly renaming: string | undefined
  readonly endRenaming: () => void
  readonly addFolder: (type: DirectoryType) => Promise<string | undefined>
  readonly setCursorKey: (key: string) => void
}

const isNameInput = (element: Element | null): boolean => element?.matches('.rename-input') ?? false

/** Where the keyboard goes on once a name is written or a folder is added: at that folder or file. */
export function useNodeFocus({ area, renaming, endRenaming, addFolder, setCursorKey }: NodeFocusOptions) {
  /** Does not move the focus once the user has moved it, nor while a name is being typed. */
  const focusArea = (isFree: (focused: Element | null) => boolean): void => {
    requestAnimationFrame(() => {
      if (isFree(document.activeElement)) {
        area.current?.querySelector<HTMLElement>('[role=grid]')?.focus({ preventScroll: true })
      }
    })
  }
  return {
    endRenaming: (): void => {
      endRenaming()
      if (renaming === undefined) return
      setCursorKey(renaming)
      focusArea(focused => focused === null || focused === document.body || isNameInput(focused))
    },
    addFolder: async (type: DirectoryType): Promise<void> => {
      const added = await addFolder(type)
      if (added === undefined) return
      setCursorKey(added)
      focusArea(focused => !isNameInput(focused))
    },
  }
}
