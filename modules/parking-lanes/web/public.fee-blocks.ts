/** A stay's fee as a bar with its parts, for screens of other modules. */
export { FeeBlocks } from './fee-blocks.tsx'
