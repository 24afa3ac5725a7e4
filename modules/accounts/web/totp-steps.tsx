import { Button, Input } from 'antd'
import { QrCode } from '#kit/web/qr-code.tsx'
import { saveAs } from '#kit/web/send.ts'
import { LabelledField } from './auth-layout.tsx'

/** The QR code for the authenticator, its key as text, and the input for the first code. */
export const TotpQr = ({
  setup,
  code,
  onCode,
  fault,
}: {
  readonly setup: { readonly secret: string; readonly uri: string }
  readonly code: string
  readonly onCode: (v: string) => void
  readonly fault: string | undefined
}) => (
  <>
    <div className="auth-qr" style={{ paddingTop: 8 }}>
      <div className="picture">
        <QrCode aria-label="绑定二维码" value={setup.uri} size={180} />
      </div>
      <p>用身份验证器应用扫描，或手动输入密钥</p>
      <code style={{ userSelect: 'all' }}>{setup.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
    </div>
    <LabelledField label="应用中显示的 6 位数字" required fault={fault}>
      {own => (
        <Input
          size="large"
          {...own}
          autoFocus
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={6}
          value={code}
          onChange={e => onCode(e.target.value)}
        />
      )}
    </LabelledField>
  </>
)

export const RecoveryCodes = ({ codes }: { readonly codes: readonly string[] }) => (
  <>
    <p style={{ paddingBottom: 12 }}>
      手机丢失时，可用下面的恢复码代替动态验证码登录，每个只能用一次。请妥善保存，关闭后不再显示。
    </p>
    <pre className="once" style={{ margin: 0, columns: 2 }}>
      {codes.join('\n')}
    </pre>
  </>
)

export const SaveRecoveryCodes = ({
  codes,
  block,
}: {
  readonly codes: readonly string[]
  readonly block?: boolean
}) => (
  <Button
    {...(block ? { block: true, size: 'large' as const, className: 'auth-submit' } : {})}
    onClick={() => saveAs(new Blob([codes.join('\r\n')], { type: 'text/plain' }), '安居恢复码.txt')}
  >
    下载
  </Button>
)
