import Image from '@tiptap/extension-image'
import { keyOfSource } from '#kit/contract/rich-text.ts'
import { findFile } from '../file-store.ts'

/** A picture of the stored files: the text keeps its key, the editor shows it at its address. */
export const StoredPicture = Image.extend({
  parseHTML: () => [{ tag: 'img[src^="file:"]' }],
  addNodeView() {
    return ({ node }) => {
      const dom = document.createElement('img')
      const { src, alt }: { src?: unknown; alt?: unknown } = node.attrs
      dom.alt = typeof alt === 'string' ? alt : ''
      const key = keyOfSource(typeof src === 'string' ? src : '')
      if (key !== undefined) {
        void findFile(key).then(file => {
          dom.src = file?.url ?? ''
        })
      }
      return { dom }
    }
  },
})
