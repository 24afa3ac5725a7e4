import { Input, type InputProps } from 'antd'
import { useRef, useState, type RefObject, type SyntheticEvent } from 'react'
import { LabelledField, PasswordInput } from './auth-layout.tsx'
import { passwordHelp } from './password-rules.ts'
import { getFieldFaults } from './sms-field.tsx'

/** What is wrong, by the wire's names of the fields. */
export type Faults = Readonly<Record<string, string>>

interface AuthFormOptions {
  /** What is wrong before anything is sent. */
  readonly check: () => Faults
  readonly submit: () => Promise<void>
  /** Fields that a refusal may name; `otherwise` takes what names none of them. */
  readonly fields: readonly string[]
  readonly otherwise: string
  /** Reads an error otherwise than by these names. */
  readonly readFaults?: (error: unknown) => Faults
  /** Goes to the first fault, on forms longer than a phone's screen. */
  readonly focusesFault?: boolean
}

interface AuthForm {
  readonly root: RefObject<HTMLFormElement | null>
  readonly faults: Faults
  readonly setFaults: (faults: Faults) => void
  /** Shows them. Returns whether there are any. */
  readonly showFaults: (faults: Faults) => boolean
  /** From the submission on; what succeeds leaves the form. */
  readonly isBusy: boolean
  readonly onSubmit: (event: SyntheticEvent) => void
}

/** A form outside the shell: checked, sent once, and its faults beside their fields. */
export function useAuthForm(options: AuthFormOptions): AuthForm {
  const [faults, setFaults] = useState<Faults>({})
  const [isBusy, setIsBusy] = useState(false)
  const root = useRef<HTMLFormElement>(null)
  const showFaults = (found: Faults): boolean => {
    const isFaulty = Object.keys(found).length > 0
    setFaults(found)
    if (isFaulty && options.focusesFault) {
      setTimeout(() => root.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), 0)
    }
    return isFaulty
  }
  const submit = async (): Promise<void> => {
    if (isBusy || showFaults(options.check())) return
    setIsBusy(true)
    try {
      await options.submit()
    } catch (error) {
      setIsBusy(false)
      showFaults(options.readFaults?.(error) ?? getFieldFaults(error, options.fields, options.otherwise))
    }
  }
  const onSubmit = (event: SyntheticEvent): void => {
    event.preventDefault()
    void submit()
  }
  return { root, faults, setFaults, showFaults, isBusy, onSubmit }
}

export const smsCodeFault = (smsCode: string): Faults =>
  /^\d{6}$/.test(smsCode) ? {} : { SmsCode: '请输入 6 位短信验证码' }

type TextInputProps = Pick<InputProps, 'autoComplete' | 'autoFocus' | 'inputMode' | 'maxLength'>

interface AuthTextFieldProps extends TextInputProps {
  readonly label: string
  readonly fault: string | undefined
  readonly help?: string | undefined
  readonly required?: boolean | undefined
  readonly value: string
  readonly onChange: (value: string) => void
}

export const AuthTextField = ({ label, fault, help, required, onChange, ...input }: AuthTextFieldProps) => (
  <LabelledField label={label} fault={fault} help={help} required={required}>
    {own => <Input size="large" {...own} {...input} onChange={e => onChange(e.target.value)} />}
  </LabelledField>
)

interface NewPasswordFieldsProps {
  /** `密码`, or `新密码` where there was one. */
  readonly label: string
  readonly password: string
  readonly again: string
  readonly faults: Faults
  readonly autoFocus?: boolean
  readonly onPassword: (password: string) => void
  readonly onAgain: (again: string) => void
}

/** A password that somebody chooses, typed twice. */
export const NewPasswordFields = ({
  label,
  faults,
  autoFocus = false,
  ...inputProps
}: NewPasswordFieldsProps) => (
  <>
    <PasswordInput
      label={label}
      required
      fault={faults.Password}
      help={passwordHelp}
      autoFocus={autoFocus}
      autoComplete="new-password"
      maxLength={15}
      value={inputProps.password}
      onChange={e => inputProps.onPassword(e.target.value)}
    />
    <PasswordInput
      label={`确认${label}`}
      required
      fault={faults.again}
      autoComplete="new-password"
      maxLength={15}
      value={inputProps.again}
      onChange={e => inputProps.onAgain(e.target.value)}
    />
  </>
)

interface CurrentPasswordFieldProps {
  readonly fault: string | undefined
  readonly autoFocus?: boolean
  readonly value: string
  readonly onChange: (password: string) => void
}

/** The user's password, which proves who asks. */
export const CurrentPasswordField = ({
  onChange,
  autoFocus = false,
  ...inputProps
}: CurrentPasswordFieldProps) => (
  <PasswordInput
    label="当前密码"
    required
    {...inputProps}
    autoFocus={autoFocus}
    autoComplete="current-password"
    maxLength={60}
    onChange={e => onChange(e.target.value)}
  />
)
