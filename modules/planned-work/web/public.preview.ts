/** Whom a plan will ask for what in the next two weeks. */
export { LivePreview, type PreviewedTask } from './live-preview.tsx'
