(* The axioms that each theorem rests on. Nothing is imported here, so that Coq names their modules. *)

From Verified Require Check Image Statement Texts Fours.

Print Assumptions Check.check_sound.
Print Assumptions Image.gets_in_image.
Print Assumptions Statement.proves_sound.
Print Assumptions Texts.run_text_sound.
Print Assumptions Fours.run_words_sound.
Print Assumptions Fours.run_ints_sound.
