import { checkFile, download, requestUrl, buildRequest } from '#kit/web/send.ts'
import { downloadShared } from '../contract/transfer.ts'

/** Above it a file goes to disk as it arrives; below, a refusal can be shown in the page. */
const largeBytes = 209_715_200
const timeoutMs = 3_600_000

/** A link, its code, and one of its files. */
type SharedFile = NonNullable<typeof downloadShared.input.T>

/** One file of a share, or all of them as a zip. */
export async function downloadFromShare(input: SharedFile, bytes: number): Promise<void> {
  if (bytes <= largeBytes) {
    await download(downloadShared, input, undefined, { timeout: timeoutMs })
    return
  }
  await checkFile(downloadShared, input)
  const link = document.createElement('a')
  link.href = requestUrl(downloadShared, buildRequest(downloadShared, input, {}))
  link.download = ''
  link.click()
}
