/** Members of a list that is read by offset (account API 2.1). */
interface ListPiece {
  limit: number
  offset: number
  returned_count: number
  total_count: number
}

/** The same with `truncated`: whether items follow after these. */
export function listEnvelope(piece: ListPiece): ListPiece & { truncated: boolean } {
  return { ...piece, truncated: piece.offset + piece.returned_count < piece.total_count }
}
