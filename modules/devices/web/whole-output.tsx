import { formatFileSize } from '#kit/contract/text.ts'
import { ActionButton } from '#kit/web/action.tsx'
import './remote.css'

interface WholeOutputProps {
  readonly size: number
  readonly sha256: string | undefined
  readonly download: () => Promise<unknown>
}

/** The file of a long output, of which only the beginning and the end are shown (RMT-2). */
export const WholeOutput = ({ size, sha256, download }: WholeOutputProps) => (
  <div className="whole-output">
    <ActionButton small action={{ label: '下载输出', run: download }} />
    <span>{formatFileSize(size)}</span>
    {sha256 !== undefined && <code>SHA-256 {sha256}</code>}
  </div>
)
