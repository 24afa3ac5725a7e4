import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import type { ValueOf } from '#kit/contract/field.ts'
import type { RawRequest, RawResponse } from '#kit/server/raw-endpoint.ts'
import type { cameraReading } from '../../contract/reading.ts'

type PlateColor = ValueOf<typeof cameraReading.fields>['plateColor']

/** A plate as a camera read it. */
export interface PlateReading {
  /** The camera's own number of the record: the same is sent again with the same. */
  readonly recordKey: string
  /** Nothing where there was no plate to read. */
  readonly plateNo: string | undefined
  readonly plateColor: PlateColor
  /** 0 to 100. */
  readonly confidence: number
  readonly deviceTime: Moment | undefined
  /** Kept while there was no line, and sent afterwards. */
  readonly isOffline: boolean
  /** Of one that was kept: the car went through. */
  readonly hasPassed: boolean
  readonly picture: Buffer | undefined
}

export type CameraMessage =
  | { readonly kind: 'reading'; readonly reading: PlateReading }
  /** It is there, and asks whether there is something to do. */
  | { readonly kind: 'poll' }
  /** Anything else: acknowledged, so that it is not sent again. */
  | { readonly kind: 'other' }

/** What a lane is to do with what its camera read. */
export interface ReadingAnswer {
  readonly isOpen: boolean
  readonly lines: readonly string[]
}

/** What a lane is asked to do between the cars. */
export interface PollAnswer {
  readonly commandIds: readonly Id[]
  readonly lines: readonly string[]
}

/** The body cannot be read: nothing of it was taken. */
export class UnreadableMessage extends Error {}

/** The words of one maker: what comes in, what goes out. Nothing else knows them. */
export interface CameraAdapter {
  readonly parse: (request: Pick<RawRequest, 'headers' | 'body'>) => CameraMessage
  readonly answerReading: (reading: PlateReading, answer: ReadingAnswer) => RawResponse
  readonly answerPoll: (answer: PollAnswer) => RawResponse
  readonly answerOther: () => RawResponse
}
