// The light half of the public part: what costs the start of another module nothing.
export { printPreviewSources } from './print-preview-sources.ts'
