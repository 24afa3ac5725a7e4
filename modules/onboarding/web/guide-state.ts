import { send } from '#kit/web/send.ts'
import { closeGuide, getGuideState } from '../contract/guide.ts'

export const isGuideOpen = async (signal: AbortSignal): Promise<boolean> =>
  (await send(getGuideState, undefined, { quiet: true, project: 0, signal })).open

export const closeGuideForGood = (): Promise<unknown> => send(closeGuide, { closed: true }, { project: 0 })
