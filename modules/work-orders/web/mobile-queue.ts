import { fromInstant } from '#kit/domain/moment.ts'
import { Refused } from '#kit/contract/wire.ts'
import { sendInOrder, useResend } from '#kit/web/phone/resend.ts'
import { dropPhotos, uploadPhotos } from '#kit/web/phone/stored-photos.ts'
import { useStoredQueue, type StoredQueue } from '#kit/web/phone/use-stored-queue.ts'
import { newUuid } from '#kit/web/send.ts'
import { serverNow } from '#kit/web/server-clock.ts'
import type { WorkOrder } from '../contract/work-order.ts'
import { describeRefusal } from '#kit/web/phone/describe-refusal.ts'
import {
  retryStep,
  sendableSteps,
  sendStep,
  timeOfStep,
  withoutStep,
  type QueuedStep,
  type StepValues,
} from './mobile-steps.ts'

const queueName = 'work-orders.steps'
const noSteps: readonly QueuedStep[] = []

const sendWhole = async (step: QueuedStep): Promise<WorkOrder> =>
  sendStep(step, await uploadPhotos(step.photos))

interface StepListeners {
  /** Gets the order as the server has it then. */
  readonly onSent: (order: WorkOrder) => void
  /** A step that waited: the order is not as the phone has it. */
  readonly onRefused: () => void
}

/** Sends what waits; a refused step stays with its reason and stops those of its order that follow. */
const flushSteps = (
  sendable: readonly QueuedStep[],
  { change, read }: Pick<StoredQueue<readonly QueuedStep[]>, 'change' | 'read'>,
  { onSent, onRefused }: StepListeners,
): Promise<boolean> =>
  sendInOrder(
    sendable,
    async step => {
      // An earlier step of the order may have been refused since.
      if (!sendableSteps(read()).some(other => other.uuid === step.uuid)) return
      const order = await sendWhole(step)
      change(before => before.filter(other => other.uuid !== step.uuid))
      // After the step: one that is still there when the page has ended must find its pictures.
      dropPhotos(step.photos)
      onSent(order)
    },
    (step, refusal) => {
      change(before =>
        before.map(other =>
          other.uuid === step.uuid ? { ...other, refusal: describeRefusal(refusal, '') } : other,
        ),
      )
      onRefused()
    },
  )

/**
 * Steps of the work: sent at once where nothing of the order waits, else kept and sent later, once and in
 * order.
 */
export function useStepQueue(listeners: StepListeners) {
  const { onSent } = listeners
  const { queue, change, read } = useStoredQueue(queueName, noSteps)
  const sendable = sendableSteps(queue)
  const flush = (): Promise<boolean> => flushSteps(sendable, { change, read }, listeners)
  const upload = useResend(queueName, sendable.length > 0, flush)
  /** True when the server has it; false when it waits for the network. Throws what was refused. */
  const perform = async (
    order: WorkOrder,
    values: StepValues,
    photos: readonly string[],
  ): Promise<boolean> => {
    const step: QueuedStep = {
      uuid: newUuid(),
      orderId: order.id,
      orderNo: order.orderNo,
      doneTime: timeOfStep(order, read(), fromInstant(serverNow())),
      values,
      photos,
    }
    if (!read().some(other => other.orderId === order.id)) {
      try {
        const sent = await sendWhole(step)
        dropPhotos(photos)
        onSent(sent)
        return true
      } catch (error) {
        if (error instanceof Refused) throw error
      }
    }
    change(before => [...before, step])
    return false
  }
  const retry = (step: QueuedStep): void => {
    change(before => retryStep(before, step.uuid, fromInstant(serverNow())))
    upload()
  }
  const drop = (step: QueuedStep): void => {
    const kept = withoutStep(read(), step.uuid)
    const dropped = read().filter(other => !kept.includes(other))
    change(() => kept)
    dropPhotos(dropped.flatMap(other => other.photos))
  }
  return { queue, perform, upload, retry, drop }
}

export type StepQueue = ReturnType<typeof useStepQueue>
