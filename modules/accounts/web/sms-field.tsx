import { fieldFaultsOf } from '#kit/web/refusal-faults.ts'
import { Button, Input } from 'antd'
import { useEffect, useState } from 'react'
import { Refused } from '#kit/contract/wire.ts'
import { CaptchaField, LabelledField } from './auth-layout.tsx'
import { useCaptcha } from './public.captcha.ts'

/** What is sent with a request for a code. */
export interface SolvedCaptcha {
  readonly captcha: string
  readonly captchaKey: string
  readonly proof: string
}

export const namesField = (error: unknown, field: string): boolean =>
  error instanceof Refused && fieldFaultsOf(error).some(fault => fault.Field === field)

/**
 * The picture first, then the code by SMS, and a minute until the next one (PERM-11). `ask` sends it and
 * returns where it went.
 */
export function SmsField({
  value,
  onChange,
  fault,
  requestCode,
  label = '短信验证码',
  name = 'SmsCode',
  address,
}: {
  readonly value: string
  readonly onChange: (v: string) => void
  readonly fault?: string | undefined
  readonly requestCode: (captcha: SolvedCaptcha) => Promise<string | undefined>
  /** The label, where the code does not come by SMS. */
  readonly label?: string
  readonly name?: string
  /** The field of the form that the code is sent to: a refusal that names it is shown there. */
  readonly address?: { readonly field: string; readonly onFault: (message: string) => void }
}) {
  const [captcha, setCaptcha] = useState('')
  const [wrong, setWrong] = useState<string>()
  const [secondsLeft, setSecondsLeft] = useState(0)
  const [busy, setBusy] = useState(false)
  const [sent, setSent] = useState<string>()
  const { picture, next } = useCaptcha(true)
  useEffect(() => {
    if (secondsLeft > 0) {
      const timer = setTimeout(() => setSecondsLeft(secondsLeft - 1), 1000)
      return () => clearTimeout(timer)
    }
    return undefined
  }, [secondsLeft])
  const press = async (): Promise<void> => {
    if (!captcha.trim() || !picture) return setWrong('请先输入图形验证码')
    setBusy(true)
    setWrong(undefined)
    try {
      const proof = await picture.proof
      setSent((await requestCode({ captcha: captcha.trim(), captchaKey: picture.key, proof })) ?? '')
      setSecondsLeft(60)
    } catch (x) {
      setSent(undefined)
      const message = x instanceof Error ? x.message : '验证码发送失败，请重试'
      if (address && namesField(x, address.field)) {
        address.onFault(message)
      } else {
        setWrong(message)
      }
    }
    setBusy(false)
    setCaptcha('')
    next()
  }
  return (
    <>
      <CaptchaField
        required
        picture={picture}
        next={next}
        fault={wrong}
        value={captcha}
        onChange={setCaptcha}
      />
      <LabelledField
        label={label}
        fault={fault}
        required
        help={
          sent === undefined ? undefined : sent ? `已发送到 ${sent}，5 分钟内有效` : '已发送，5 分钟内有效'
        }
      >
        {own => (
          <div className="auth-code">
            <Input
              size="large"
              {...own}
              name={name}
              autoComplete="one-time-code"
              inputMode="numeric"
              maxLength={6}
              value={value}
              onChange={e => onChange(e.target.value.replace(/\D/g, ''))}
            />
            <Button size="large" loading={busy} disabled={secondsLeft > 0} onClick={() => void press()}>
              {secondsLeft > 0 ? `${secondsLeft} 秒后重发` : '获取验证码'}
            </Button>
          </div>
        )}
      </LabelledField>
    </>
  )
}

/**
 * Field faults of a refusal, by the wire's field names; `otherwise` takes what names no field of the form.
 */
export function getFieldFaults(
  answer: unknown,
  fields: readonly string[],
  otherwise: string,
): Record<string, string> {
  if (!(answer instanceof Refused))
    return {
      [otherwise]:
        answer instanceof Error && answer.message
          ? `${answer.message}，请稍后重试`
          : '操作失败，请检查网络后重试',
    }
  return Object.fromEntries(
    fieldFaultsOf(answer).map(f => [fields.includes(f.Field) ? f.Field : otherwise, f.Message]),
  )
}
