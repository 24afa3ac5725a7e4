import { useEffect } from 'react'
import { useStoredAnswer } from '#kit/web/phone/use-stored-answer.ts'
import { openScreen, type ScreenContent } from '../contract/screen.ts'

const askEveryMs = 60_000

interface ShownContent {
  readonly content: ScreenContent | undefined
  readonly isLoading: boolean
  /** Why nothing is shown: the link has ended. */
  readonly refusal: string | undefined
  /** Since when nothing new has come, while the server cannot be reached. */
  readonly staleSince: string | undefined
}

/** What a screen turns: asked for every minute, the last answer while there is none. */
export function useScreenContent(token: string): ShownContent {
  const { answer, isLoading, isOld, refusal, refetch } = useStoredAnswer(
    openScreen,
    { token },
    `lobby.${token.slice(-12)}`,
  )
  useEffect(() => {
    const timer = setInterval(refetch, askEveryMs)
    return () => clearInterval(timer)
  }, [token])
  return {
    content: refusal === undefined ? answer : undefined,
    isLoading,
    refusal,
    staleSince: isOld ? answer?.time : undefined,
  }
}
