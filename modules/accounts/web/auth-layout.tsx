import { Input, type InputProps } from 'antd'
import Password from 'antd/es/input/Password'
import { useId, useState, type ReactNode } from 'react'
import { navigateTo } from '#kit/web/navigation.ts'
import { useCall } from '#kit/web/query.ts'
import { RequiredStar } from '#kit/web/required-star.tsx'
import { getSignInPage } from '../contract/company.ts'
import type { CaptchaImage } from './public.captcha.ts'
import { readPageKey } from './sign-in-page-key.ts'
import { Logo, Skyline } from './skyline.tsx'
import './auth-layout.css'

/** The page of everything outside: the picture on the left, a form on the right. */
export function AuthLayout({
  title,
  company,
  children,
}: {
  readonly title: string
  readonly company?: string | undefined
  readonly children: ReactNode
}) {
  return (
    <div className="auth">
      <aside className="auth-picture">
        <Skyline />
        <div className="brand">
          <Logo />
          安居
        </div>
        <p className="motto">安居物业管理系统</p>
        <p className="product">物业与社区管理后台</p>
      </aside>
      <main className="auth-side">
        <div className="auth-form">
          <h1>{title}</h1>
          <p className="company">{company}</p>
          {children}
        </div>
        <footer className="auth-foot">版本 1.1.5 · 建议使用 Chrome 或 Edge 最新版</footer>
      </main>
    </div>
  )
}

/** What the page shows before anybody is in; a company is named that is the only one, or has its own page. */
export function useSignInPage() {
  const [pageKey] = useState(readPageKey)
  return useCall(getSignInPage, pageKey ? { pageKey } : {}, { quiet: true, project: 0, staleMs: 600_000 })
}

/** A link to another screen outside. */
export const AuthLink = ({ to, children }: { readonly to: string; readonly children: ReactNode }) => (
  <a
    href={to}
    onClick={e => {
      e.preventDefault()
      navigateTo(to)
    }}
  >
    {children}
  </a>
)

/** What a labelled control is given. */
interface OwnProps {
  readonly id: string
  readonly 'aria-describedby': string
  readonly 'aria-required'?: boolean
  readonly 'aria-invalid'?: boolean
  readonly status?: 'error'
}

interface LabelledFieldProps {
  readonly label: string
  readonly fault?: string | undefined
  readonly help?: string | undefined
  /** Marked with a star; the fields of a sign-in are not. */
  readonly required?: boolean | undefined
  readonly below?: ReactNode
  readonly children: (own: OwnProps) => ReactNode
}

/** A labelled control with its fault below it. */
export function LabelledField({ label, fault, help, required = false, below, children }: LabelledFieldProps) {
  const id = useId()
  const note = `${id}-note`
  return (
    <div className="auth-field">
      <div className="label">
        {required && <RequiredStar />}
        <label htmlFor={id}>{label}</label>
      </div>
      {children({
        id,
        'aria-describedby': note,
        ...(required ? { 'aria-required': true } : {}),
        ...(fault ? { status: 'error' as const, 'aria-invalid': true } : {}),
      })}
      <div id={note}>
        {fault ? (
          <p className="fault" role="alert">
            {fault}
          </p>
        ) : help ? (
          <p className="help">{help}</p>
        ) : null}
        {below}
      </div>
    </div>
  )
}

/** A password box that says when Caps Lock is on. */
export function PasswordInput({
  label,
  fault,
  help,
  required,
  ...box
}: Omit<LabelledFieldProps, 'children' | 'below'> &
  Pick<InputProps, 'name' | 'value' | 'onChange' | 'autoComplete' | 'autoFocus' | 'prefix' | 'maxLength'>) {
  const [caps, setCaps] = useState(false)
  const checkCapsLock = (e: { getModifierState(k: string): boolean }): void =>
    setCaps(e.getModifierState('CapsLock'))
  return (
    <LabelledField
      label={label}
      fault={fault}
      help={help}
      required={required}
      below={
        caps && (
          <p className="caps" role="status">
            大写锁定已打开
          </p>
        )
      }
    >
      {own => (
        <Password
          size="large"
          {...own}
          {...box}
          // The way of the keys is account, password, sign in.
          visibilityToggle={{ tabIndex: -1 }}
          onKeyDown={checkCapsLock}
          onKeyUp={checkCapsLock}
          onBlur={() => setCaps(false)}
        />
      )}
    </LabelledField>
  )
}

export function CaptchaField({
  picture,
  next,
  fault,
  required,
  value,
  onChange,
}: {
  readonly picture: CaptchaImage | undefined
  readonly next: () => void
  readonly fault?: string | undefined
  readonly required?: boolean
  readonly value: string
  readonly onChange: (v: string) => void
}) {
  return (
    <LabelledField label="图形验证码" fault={fault} required={required} help="图中四个字母或数字，不分大小写">
      {own => (
        <div className="with-picture">
          <Input
            size="large"
            {...own}
            name="Captcha"
            maxLength={8}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            value={value}
            onChange={e => onChange(e.target.value)}
          />
          <button type="button" onClick={next} aria-label="换一张验证码图片" title="换一张">
            {picture && <img src={picture.image} alt="" width={120} height={40} />}
          </button>
        </div>
      )}
    </LabelledField>
  )
}
