import { Button, Dropdown } from 'antd'
import { useState } from 'react'
import type { Id } from '#kit/domain/id.ts'
import { errorSentence } from '#kit/web/list/list-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { toast } from '#kit/web/toast.ts'
import { getCardRead, listCardReaders, startCardReading } from '../contract/card-reader.ts'

interface CardReaderProps {
  readonly projectCode: string
  readonly onRead: (cardNo: string) => void
}

/** Asks until the device has read a card, or says why it has not. */
async function readCard(projectCode: string, deviceId: Id): Promise<string | undefined> {
  const { taskId } = await send(startCardReading, { projectCode, deviceId })
  for (;;) {
    const { isEnded, cardNo, reason } = await send(getCardRead, { taskId })
    if (cardNo !== undefined) return cardNo
    if (isEnded) {
      toast.error(reason ?? '未读到卡，请重试')
      return undefined
    }
  }
}

/** 读卡: at a device of the project's doors. */
export function CardReaderButton({ projectCode, onRead }: CardReaderProps) {
  const [readingAt, setReadingAt] = useState<string>()
  const readers = useCall(listCardReaders, { projectCode }, { quiet: true }).data ?? []
  const read = async (deviceId: Id, deviceName: string): Promise<void> => {
    setReadingAt(deviceName)
    try {
      const cardNo = await readCard(projectCode, deviceId)
      if (cardNo !== undefined) {
        onRead(cardNo)
        toast.success(`已读到卡号 ${cardNo}`)
      }
    } catch (error) {
      toast.error(errorSentence(error))
    } finally {
      setReadingAt(undefined)
    }
  }
  if (!readers.length) return null
  const items = readers.map(({ deviceId, deviceName, isOnline }) => ({
    key: String(deviceId),
    label: isOnline ? deviceName : `${deviceName}（离线）`,
    disabled: !isOnline,
    onClick: () => void read(deviceId, deviceName),
  }))
  return (
    <Dropdown menu={{ items }} trigger={['click']} disabled={readingAt !== undefined}>
      <Button loading={readingAt !== undefined}>
        {readingAt === undefined ? '读卡' : `请在「${readingAt}」刷卡`}
      </Button>
    </Dropdown>
  )
}
