import { Input } from 'antd'
import { LabelledField } from './auth-layout.tsx'

interface TotpFieldProps {
  readonly fault: string | undefined
  readonly value: string
  readonly onChange: (v: string) => void
}

export const TotpField = ({ fault, value, onChange }: TotpFieldProps) => (
  <LabelledField label="动态验证码" fault={fault} help="身份验证器应用中的 6 位数字，或一个恢复码">
    {own => (
      <Input
        size="large"
        {...own}
        name="Totp"
        autoComplete="one-time-code"
        inputMode="text"
        maxLength={20}
        value={value}
        onChange={e => onChange(e.target.value)}
      />
    )}
  </LabelledField>
)
