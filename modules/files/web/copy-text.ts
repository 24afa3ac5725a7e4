import { toast } from '#kit/web/toast.ts'

/** Browsers forbid it without TLS: then the link is selected by hand. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast.success('已复制到剪贴板')
  } catch {
    toast.warning('浏览器不允许复制，请选中链接后按 Ctrl C')
  }
}
