import { useEffect } from 'react'

const mark = '【困人报警】'
const everyMs = 1000

export const withMark = (title: string): string => (title.startsWith(mark) ? title : mark + title)
export const withoutMark = (title: string): string => title.replace(mark, '')

/** In the title of the tab while it is on; pages give it a title of their own in between. */
export function useAlarmTitle(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return
    const show = (): void => {
      document.title = withMark(document.title)
    }
    show()
    const timer = setInterval(show, everyMs)
    return () => {
      clearInterval(timer)
      document.title = withoutMark(document.title)
    }
  }, [isOn])
}
