import type { Call } from '#kit/contract/call.ts'
import type { FileResponse as File } from '#kit/contract/file-response.ts'

/**
 * Opens the print page in a new tab; its input is passed in session storage, because it may name many bills.
 */
export function openPrintPage<I>(call: Call<I, File>, input: NoInfer<I>): void {
  const key = `print-${Date.now().toString(36)}`
  localStorage.setItem(key, JSON.stringify({ at: call.route, input }))
  window.open(`/doprint?key=${key}`, '_blank', 'noopener')
}

/** What `openPrintPage` left under a key: its own JSON, read as it was written; nothing where it is gone. */
export function readPrintRequest<I>(
  key: string | null,
): { readonly at: string; readonly input: I } | undefined {
  try {
    const stored = key ? localStorage.getItem(key) : undefined
    return stored ? JSON.parse(stored) : undefined
  } catch {
    return undefined
  }
}
