import { CopyOutlined } from '@ant-design/icons'
import { Button, Modal } from 'antd'
import { copyText } from '#kit/web/copy-text.ts'
import { useSend } from '#kit/web/query.ts'
import { resetHubKey, type ChargerHub } from '../contract/hub.ts'
import './charging.css'

const Copied = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <div className="pile-key">
    <span>{label}</span>
    <code aria-label={label}>{text}</code>
    <Button icon={<CopyOutlined />} aria-label={`复制${label}`} onClick={() => void copyText(text)} />
  </div>
)

/** A new key for a pile, shown this once, with what else is typed into it. */
export function KeyDialog({
  of: [hub],
  onClose,
}: {
  readonly of: readonly ChargerHub[]
  readonly onClose: () => void
}) {
  const reset = useSend(resetHubKey)
  if (!hub) return null
  const made = reset.data
  return (
    <Modal
      open
      width={600}
      title={`重置密钥「${hub.hubName}」`}
      mask={{ closable: false }}
      onCancel={onClose}
      footer={
        made ? (
          <Button type="primary" onClick={onClose}>
            已保存，关闭
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>取消</Button>
            <Button
              type="primary"
              danger
              loading={reset.isPending}
              onClick={() => void reset.mutateAsync({ id: hub.id }).catch(() => undefined)}
            >
              重置密钥
            </Button>
          </>
        )
      }
    >
      {made ? (
        <div className="pile-keys">
          <p role="alert">密钥只显示这一次，请立即填入充电桩；遗失后只能重置。</p>
          <Copied label="服务器地址" text={`${location.origin.replace(/^http/, 'ws')}${made.path}`} />
          <Copied label="桩号" text={made.hubNo} />
          <Copied label="密钥" text={made.key} />
          <p>协议 OCPP 1.6J，HTTP Basic 认证：用户名为桩号，密码为密钥。</p>
        </div>
      ) : (
        <p>
          {hub.hasKey
            ? '原密钥立即失效，充电桩断开连接；填入新密钥后重新连接。'
            : '生成密钥，填入充电桩后即可连接。'}
        </p>
      )}
    </Modal>
  )
}
