"""Facts, the games behind results, and the club's choices."""

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None


def upgrade() -> None:
    """Create the three tables."""
    op.create_table(
        "facts",
        sa.Column("tournament", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "records",
        sa.Column("tournament", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("result", sa.String(80), primary_key=True),
        sa.Column("lines", sa.Text, nullable=False),
    )
    op.create_table(
        "choices",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """Results are never thrown away by going back."""
    raise NotImplementedError("an older version cannot read this database; keep a copy before an update")
