import { useRef, useState, type DragEvent } from 'react'

const hasFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files')

const isFolder = (item: DataTransferItem): boolean => item.webkitGetAsEntry()?.isDirectory ?? false

/** Files dragged over an element: `onDrop` gets them, and whether folders were among them. */
export function useDrop(isAllowed: boolean, onDrop: (files: readonly File[], hasFolder: boolean) => void) {
  const [isOver, setOver] = useState(false)
  // Entering a child leaves its parent: only as many leaves as enters are out.
  const depth = useRef(0)
  const end = (): void => {
    depth.current = 0
    setOver(false)
  }
  return {
    isOver,
    handlers: {
      onDragEnter: (event: DragEvent): void => {
        if (!isAllowed || !hasFiles(event)) return
        depth.current++
        setOver(true)
      },
      onDragLeave: (): void => {
        if (depth.current > 0 && --depth.current === 0) {
          setOver(false)
        }
      },
      onDragOver: (event: DragEvent): void => {
        if (hasFiles(event)) {
          event.preventDefault()
        }
      },
      onDrop: (event: DragEvent): void => {
        if (!hasFiles(event)) return
        event.preventDefault()
        end()
        if (!isAllowed) return
        const items = [...event.dataTransfer.items].filter(item => item.kind === 'file')
        const files = items.filter(item => !isFolder(item)).flatMap(item => item.getAsFile() ?? [])
        onDrop(files, items.some(isFolder))
      },
    },
  }
}
