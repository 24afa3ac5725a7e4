import type { Call } from '#kit/contract/call.ts'
import type { FileResponse as File } from '#kit/contract/shape.ts'

/**
 * Opens the print page beside this one; what to print travels in the tab's own storage, however many bills it
 * names.
 */
export function openPrintPage<I>(call: Call<I, File>, input: I): void {
  const key = `print-${Date.now().toString(36)}`
  localStorage.setItem(key, JSON.stringify({ at: call.route, input }))
  window.open(`/doprint?key=${key}`, '_blank', 'noopener')
}
