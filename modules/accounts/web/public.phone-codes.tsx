import { useEffect, useState } from 'react'
import { PhoneField } from '#kit/web/phone/phone-field.tsx'
import { useCaptcha, type CaptchaImage } from './public.captcha.ts'

const resendSeconds = 60

interface PictureFieldProps {
  readonly picture: CaptchaImage | undefined
  readonly next: () => void
  readonly letters: string
  readonly onLetters: (letters: string) => void
  readonly fault?: string | undefined
}

/** 图形验证码 on a phone: its letters, and the picture, which another one replaces. */
export const PictureField = ({ picture, next, letters, onLetters, fault }: PictureFieldProps) => (
  <PhoneField label="图形验证码" isRequired fault={fault}>
    {control => (
      <div className="with-button">
        <input
          {...control}
          autoComplete="off"
          maxLength={8}
          value={letters}
          onChange={event => onLetters(event.target.value)}
        />
        <button type="button" className="big" aria-label="更换图形验证码" onClick={next}>
          {picture ? <img src={picture.image} alt="图形验证码" /> : '正在加载…'}
        </button>
      </div>
    )}
  </PhoneField>
)

interface RequestedCode {
  readonly captcha: string
  readonly captchaKey: string
  readonly proof: string
}

interface CodeFieldsProps {
  /** What is still missing before a code can be asked for. */
  readonly missing: string | undefined
  readonly request: (captcha: RequestedCode) => Promise<unknown>
  readonly describe: (error: unknown) => string
  /** Once it was sent, without saying whether anybody gets it. */
  readonly sentHint: string
  readonly code: string
  readonly onCode: (code: string) => void
}

/** The picture, the code by SMS, and a minute until the next one (PERM-11). */
export function CodeFields({ missing, request, describe, sentHint, code, onCode }: CodeFieldsProps) {
  const { picture, next } = useCaptcha(true)
  const [letters, setLetters] = useState('')
  const [fault, setFault] = useState<string>()
  const [isSent, setSent] = useState(false)
  const [secondsLeft, setSecondsLeft] = useState(0)
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    if (secondsLeft <= 0) return undefined
    const timer = setTimeout(() => setSecondsLeft(secondsLeft - 1), 1000)
    return () => clearTimeout(timer)
  }, [secondsLeft])
  const requestCode = async (): Promise<void> => {
    if (missing !== undefined) return setFault(missing)
    if (letters.trim() === '' || !picture) return setFault('请先输入图形验证码')
    setBusy(true)
    setFault(undefined)
    try {
      await request({ captcha: letters.trim(), captchaKey: picture.key, proof: await picture.proof })
      setSent(true)
      setSecondsLeft(resendSeconds)
    } catch (error) {
      setFault(describe(error))
    }
    setBusy(false)
    setLetters('')
    next()
    return undefined
  }
  return (
    <>
      <PictureField picture={picture} next={next} letters={letters} onLetters={setLetters} fault={fault} />
      <PhoneField label="短信验证码" isRequired hint={isSent ? sentHint : undefined}>
        {control => (
          <div className="with-button">
            <input
              {...control}
              autoComplete="one-time-code"
              inputMode="numeric"
              maxLength={6}
              value={code}
              onChange={event => onCode(event.target.value.replace(/\D/g, ''))}
            />
            <button
              type="button"
              className="big"
              disabled={isBusy || secondsLeft > 0}
              onClick={() => void requestCode()}
            >
              {secondsLeft > 0 ? `${secondsLeft} 秒后重发` : '获取验证码'}
            </button>
          </div>
        )}
      </PhoneField>
    </>
  )
}
