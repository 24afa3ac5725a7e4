import { useCallback, useContext, useEffect, useRef, type RefObject } from 'react'
import { TabContext } from '../tab.ts'
import { dropDraft, registerDraft, saveDraft, type Values } from './drafts.ts'

const saveEveryMs = 5000

/** The newest state of a form, for callbacks that outlive a render. */
export interface FormState {
  readonly values: Values
  readonly dirty: boolean
  /** The values that the form began with: without changes it equals these. */
  readonly base: Values
}

/**
 * Keeps what is typed as a draft: every 5 seconds, when the form goes away, before the window closes. A form
 * that is not dirty has no draft.
 */
export function useDraft(
  storageKey: string | undefined,
  keys: readonly string[],
  latest: RefObject<FormState>,
): { readonly flush: () => void; readonly markWritten: (values: Values) => void } {
  const page = useContext(TabContext)
  const written = useRef<Values>(latest.current.values)
  const flush = useCallback((): void => {
    const { values, dirty, base } = latest.current
    if (!storageKey || values === written.current) return
    written.current = values
    if (dirty) {
      saveDraft(
        storageKey,
        Object.fromEntries(keys.map(k => [k, values[k]])),
        base.version as number | undefined,
      )
    } else {
      dropDraft(storageKey)
    }
  }, [storageKey, keys])
  useEffect(() => {
    if (!storageKey) return undefined
    const timer = setInterval(flush, saveEveryMs)
    registerDraft(page, storageKey)
    const onUnload = (e: BeforeUnloadEvent): void => {
      flush()
      if (latest.current.dirty) {
        e.preventDefault()
      }
    }
    addEventListener('beforeunload', onUnload)
    return () => {
      clearInterval(timer)
      removeEventListener('beforeunload', onUnload)
      flush()
    }
  }, [storageKey, page])
  const markWritten = useCallback((values: Values): void => {
    written.current = values
  }, [])
  return { flush, markWritten }
}
