import { useEffect, useState } from 'react'
import { send } from '#kit/web/send.ts'
import { getCaptcha } from '../contract/sign-in.ts'
import { solveTask } from './proof-of-work.ts'

export interface CaptchaImage {
  readonly key: string
  readonly image: string
  /** The solved task that came with the picture; solved while the letters are read. */
  readonly proof: Promise<string>
}

/**
 * A captcha picture, a new one whenever `turn` changes; it holds for two minutes and is replaced
 * automatically.
 */
export function useCaptcha(isEnabled: boolean): { picture: CaptchaImage | undefined; next: () => void } {
  const [picture, setPicture] = useState<CaptchaImage>()
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    if (!isEnabled) return
    const abort = new AbortController()
    send(getCaptcha, undefined, { signal: abort.signal, quiet: true }).then(
      challenge => {
        const proof = solveTask(challenge.challenge, abort.signal)
        // Sending the letters waits for it.
        proof.catch(() => {})
        setPicture({ key: challenge.captchaKey, image: challenge.image, proof })
      },
      () => {},
    )
    const timer = setTimeout(() => setTurn(n => n + 1), 110_000)
    return () => {
      abort.abort()
      clearTimeout(timer)
    }
  }, [isEnabled, turn])
  return { picture: isEnabled ? picture : undefined, next: () => setTurn(n => n + 1) }
}
