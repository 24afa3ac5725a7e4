import { copyText } from '#kit/web/copy-text.ts'
import { Button, Input } from 'antd'
import { CopyOutlined } from '@ant-design/icons'
import { confirm } from '#kit/web/confirm.tsx'
import { sendAndToast } from '#kit/web/record-actions.ts'
import { usePermission } from '#kit/web/session.ts'
import type { FileShare } from '../contract/folder.ts'
import { revokeShare } from '../contract/transfer.ts'
import { menu, paths } from '../module.ts'

export const shareLink = ({ token }: Pick<FileShare, 'token'>): string =>
  `${location.origin}${paths.share}?t=${encodeURIComponent(token)}`

/** Link and code as a message for the recipient. */
const invitation = (share: FileShare): string =>
  share.accessCode ? `${shareLink(share)} 提取码：${share.accessCode}` : shareLink(share)

const describe = ({ accessCode, expireTime, viewCount }: FileShare): string =>
  `${accessCode ? `提取码 ${accessCode}` : '无需提取码'}，${expireTime.slice(0, 16)} 到期，已打开 ${viewCount} 次`

async function revoke(share: FileShare): Promise<void> {
  const isSure = await confirm({
    title: '撤销分享',
    text: '撤销后链接立即失效，已下载的文件不受影响',
    okLabel: '撤销分享',
    danger: true,
  })
  if (!isSure) return
  await sendAndToast(revokeShare, { id: share.id, version: share.version }, '已撤销分享')
}

/** The valid links: each with its code, its expiry and a button to revoke it (FILE-6). */
export function ShareList({ shares }: { readonly shares: readonly FileShare[] }) {
  const hasPermission = usePermission()
  return (
    <ul className="share-list">
      {shares.map(share => (
        <li key={share.id}>
          <p>
            <span>{describe(share)}</span>
            {hasPermission(menu.file.permissions.share) && (
              <button type="button" className="linkish" onClick={() => void revoke(share).catch(() => {})}>
                撤销
              </button>
            )}
          </p>
          <span className="share-link">
            <Input
              readOnly
              value={shareLink(share)}
              aria-label="分享链接"
              onFocus={event => event.target.select()}
            />
            <Button
              icon={<CopyOutlined />}
              aria-label="复制链接"
              onClick={() =>
                void copyText(invitation(share), {
                  done: '已复制到剪贴板',
                  refused: '浏览器不允许复制，请选中链接后按 Ctrl C',
                })
              }
            >
              复制
            </Button>
          </span>
        </li>
      ))}
    </ul>
  )
}
