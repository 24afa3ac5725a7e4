import { toast } from './toast.ts'

/** Copies a text and says so. Browsers forbid it without TLS: then a message says how to do it by hand. */
export async function copyText(
  text: string,
  { done = '已复制', refused = '浏览器不允许复制，请选中后按 Ctrl C' } = {},
): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast.success(done)
  } catch {
    toast.warning(refused)
  }
}
